/** The log backend's target: a file, or standard output. */
import type { AuditEvent } from './event.js'
import type { Target } from './output.js'

export type AuditLogFormat = 'json' | 'legacy'

/** What takes whole lines. */
export interface LineWriter {
  /** Throws, or rejects, when they are lost. */
  write(text: string): void | Promise<void>
  close?(): Promise<void>
}

/** The lines of one turn of the event loop, and the callers who wait until they are written. */
interface Turn {
  readonly lines: string[]
  readonly written: Promise<void>
  settle(error: unknown): void
}

export class LogTarget implements Target {
  readonly plugin = 'log'
  readonly joinsBatches = true
  readonly #format: AuditLogFormat
  readonly #writer: LineWriter
  #turn: Turn | undefined

  constructor(format: AuditLogFormat, writer: LineWriter) {
    this.#format = format
    this.#writer = writer
  }

  encode(event: AuditEvent): string {
    return `${this.#format === 'legacy' ? event.line : event.json}\n`
  }

  write(lines: readonly string[]): void | Promise<void> {
    return this.#writer.write(lines.join(''))
  }

  /** Writes a line together with the others of this turn of the event loop, because a write costs more than making an event. */
  writeSoon(line: string): Promise<void> {
    if (!this.#turn) {
      this.#turn = newTurn()
      setImmediate(() => void this.#endTurn())
    }
    this.#turn.lines.push(line)
    return this.#turn.written
  }

  async #endTurn(): Promise<void> {
    const turn = this.#turn
    if (!turn) return
    this.#turn = undefined
    let failure: unknown
    try {
      const writing = this.write(turn.lines)
      if (writing) await writing
    } catch (error) {
      failure = error
    }
    turn.settle(failure)
  }

  async close(): Promise<void> {
    await this.#endTurn()
    await this.#writer.close?.()
  }
}

function newTurn(): Turn {
  let settle!: Turn['settle']
  const written = new Promise<void>((resolve, reject) => {
    settle = error => (error === undefined ? resolve() : reject(error))
  })
  return { lines: [], written, settle }
}

/** The most bytes that may wait for whoever reads standard output. */
const maxUnread = 64 * 1024 * 1024

/** Standard output, which several servers of a process may share. Events are lost when its reader does not read. */
export const standardOutput: LineWriter = {
  write(text) {
    if (process.stdout.writableLength > maxUnread) throw new Error('nobody reads standard output')
    process.stdout.write(text)
  }
}
