/** A backend of audit: `log` or `webhook`, with what both have in common: modes, batches and limits on the size of events. */

import type { Clock } from '../../util/clock.js'
import type { Part } from '../../util/part.js'
import type { AuditPlugin } from './audit-metrics.js'
import { type BatchOptions, BatchQueue } from './batch-queue.js'
import type { AuditErrors } from './errors.js'
import type { AuditEvent } from './event.js'
import type { AuditSink } from './stages.js'

export type AuditMode = 'batch' | 'blocking' | 'blocking-strict'

/** The destination of encoded events. */
export interface Target {
  readonly plugin: AuditPlugin & ('log' | 'webhook')
  /** Whether batches may be written as one, because nobody sees where a batch ends. */
  readonly joinsBatches: boolean
  encode(event: AuditEvent): string
  /** Keeps events. Throws, or rejects, when they are lost. */
  write(events: readonly string[]): void | Promise<void>
  /** Keeps one event together with others, for requests that wait. */
  writeSoon?(event: string): Promise<void>
  /** Called when the server stops: events under way have a last chance. */
  stopping?(): void
  close?(): void | Promise<void>
}

export interface OutputOptions {
  readonly mode: AuditMode
  readonly batch: BatchOptions
  readonly truncate: { readonly enabled: boolean; readonly maxEventSize: number; readonly maxBatchSize: number }
}

export class AuditOutput implements AuditSink, Part {
  readonly name: string
  readonly #target: Target
  readonly #options: OutputOptions
  readonly #errors: AuditErrors
  readonly #queue: BatchQueue | undefined

  constructor(target: Target, options: OutputOptions, errors: AuditErrors, clock: Clock) {
    this.name = `audit ${target.plugin}`
    this.#target = target
    this.#options = options
    this.#errors = errors
    if (options.mode === 'batch')
      this.#queue = new BatchQueue({
        ...options.batch,
        clock,
        joinsBatches: target.joinsBatches,
        deliver: batch => this.#deliver(batch)
      })
  }

  process(event: AuditEvent): boolean | Promise<boolean> {
    const { problem } = event
    if (problem !== undefined) return this.#failed(1, problem)
    const text = this.#options.truncate.enabled ? this.#truncated(event) : this.#target.encode(event)
    if (text === undefined) return true
    if (this.#queue) {
      const lost = this.#queue.add(text)
      if (lost !== undefined) this.#errors.lost('buffered', 1, lost)
      return true
    }
    const writing = this.#target.writeSoon?.(text)
    if (!writing) return this.#write([text])
    return writing.then(kept, error => this.#failed(1, (error as Error).message))
  }

  async stop(): Promise<void> {
    this.#target.stopping?.()
    await this.#queue?.stop()
    await this.#target.close?.()
  }

  /** The event, without its objects if it is too large; undefined when it is too large even so. */
  #truncated(event: AuditEvent): string | undefined {
    const { maxEventSize } = this.#options.truncate
    if (sizeOf(event.json) <= maxEventSize) return this.#target.encode(event)
    const bare = event.truncated()
    if (bare && sizeOf(bare.json) <= maxEventSize) return this.#target.encode(bare)
    this.#errors.lost('truncate', 1, 'event is too large even after truncating')
    return undefined
  }

  #write(events: readonly string[]): boolean | Promise<boolean> {
    try {
      const writing = this.#target.write(events)
      if (!writing) return true
      return writing.then(
        () => true,
        error => this.#failed(events.length, (error as Error).message)
      )
    } catch (error) {
      return this.#failed(events.length, (error as Error).message)
    }
  }

  /** Counts lost events. Returns whether the request may go on nevertheless. */
  #failed(events: number, why: string): boolean {
    this.#errors.lost(this.#target.plugin, events, why)
    return this.#options.mode !== 'blocking-strict'
  }

  #deliver(batch: readonly string[]): void | Promise<void> {
    const written = this.#parts(batch).map(part => this.#write(part))
    if (written.some(one => one instanceof Promise)) return Promise.all(written).then(() => {})
  }

  /** Splits a batch into parts of limited size. */
  #parts(batch: readonly string[]): (readonly string[])[] {
    const { enabled, maxBatchSize } = this.#options.truncate
    if (!enabled) return [batch]
    const parts: string[][] = []
    let size = Number.POSITIVE_INFINITY
    for (const event of batch) {
      const own = sizeOf(event)
      if (size + own > maxBatchSize) {
        parts.push([])
        size = 0
      }
      parts.at(-1)!.push(event)
      size += own
    }
    return parts
  }
}

const kept = () => true

/** Bytes of an event with the end of its line. */
const sizeOf = (json: string) => Buffer.byteLength(json) + 1

/** Passes events on to the program that the server is part of. */
export const programSink = (write: (event: any) => void, errors: AuditErrors): AuditSink => ({
  process(event) {
    try {
      if (event.problem === undefined) write(JSON.parse(event.json))
    } catch (error) {
      errors.lost('program', 1, String(error))
    }
    return true
  }
})

/** Makes one backend of several. */
export const unionOf = (sinks: readonly AuditSink[]): AuditSink =>
  sinks.length === 1
    ? sinks[0]!
    : {
        process(event) {
          const kept = sinks.map(sink => sink.process(event))
          if (kept.some(one => one instanceof Promise)) return Promise.all(kept).then(all => all.every(Boolean))
          return kept.every(Boolean)
        }
      }
