/** The log backend's target: a file, or standard output. */
import type { AuditEvent } from './event.js'
import type { Target } from './output.js'
import type { RotatingFile } from './rotating-file.js'

export type AuditLogFormat = 'json' | 'legacy'

/** What takes whole lines. */
export interface LineWriter {
  write(text: string): void
  close?(): Promise<void>
}

export class LogTarget implements Target {
  readonly plugin = 'log'
  readonly #format: AuditLogFormat
  readonly #writer: LineWriter | RotatingFile

  constructor(format: AuditLogFormat, writer: LineWriter | RotatingFile) {
    this.#format = format
    this.#writer = writer
  }

  encode(event: AuditEvent): string {
    return `${this.#format === 'legacy' ? event.line : event.json}\n`
  }

  write(lines: readonly string[]): void {
    this.#writer.write(lines.length === 1 ? lines[0]! : lines.join(''))
  }

  async close(): Promise<void> {
    await this.#writer.close?.()
  }
}

/** Bytes that may wait for whoever reads standard output. */
const maxUnread = 64 * 1024 * 1024

/** Standard output, which several servers of a process may share. A reader that does not read loses events. */
export const standardOutput: LineWriter = {
  write(text) {
    if (process.stdout.writableLength > maxUnread) throw new Error('nobody reads standard output')
    process.stdout.write(text)
  }
}
