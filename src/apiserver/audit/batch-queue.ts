/** Gathers events into batches, and delivers these no faster than a limit allows: no request waits for a receiver. */
import type { Clock, Timer } from '../../util/clock.js'

export interface BatchOptions {
  /** How many events may wait; further ones are lost. */
  readonly bufferSize: number
  readonly maxSize: number
  /** Milliseconds that an event waits for its batch to become full. */
  readonly maxWait: number
  /** How many batches a second, and how many at once after a pause; undefined for no limit. */
  readonly throttle: { readonly qps: number; readonly burst: number } | undefined
}

export interface QueueParts extends BatchOptions {
  readonly clock: Clock
  /** Whether full batches that are not throttled wait for a moment, and are delivered as one. */
  readonly joinsBatches: boolean
  /** Delivers a batch. It must not reject. */
  deliver(batch: readonly string[]): void | Promise<void>
}

/** The most bytes of events that wait or are being delivered. kube-apiserver bounds only their number. */
export const maxWaitingBytes = 64 * 1024 * 1024

/** Milliseconds that full batches wait for others which are delivered with them. */
const joiningTime = 10

export class BatchQueue {
  readonly #parts: QueueParts
  #waiting: string[] = []
  /** Characters of the events that wait or are being delivered, which is near enough to bytes. */
  #characters = 0
  #timer: Timer | undefined
  #soon: NodeJS.Immediate | undefined
  #tokens: number
  #filledAt: number
  #isStopped = false
  readonly #delivering = new Set<Promise<void>>()

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#tokens = parts.throttle?.burst ?? Number.POSITIVE_INFINITY
    this.#filledAt = parts.clock.now()
  }

  /** Adds an event. Returns why it is lost, if it is. */
  add(event: string): string | undefined {
    const { bufferSize, maxSize, maxWait, clock } = this.#parts
    if (this.#isStopped) return 'audit backend shut down'
    if (this.#waiting.length >= bufferSize && this.#joins) this.#drain(true)
    if (this.#waiting.length >= bufferSize || this.#characters + event.length > maxWaitingBytes)
      return 'audit buffer queue blocked'
    this.#waiting.push(event)
    this.#characters += event.length
    if (this.#waiting.length < maxSize) this.#timer ??= clock.setTimeout(() => this.#drain(true), maxWait)
    else if (!this.#joins) this.#soon ??= setImmediate(() => this.#drain(false))
    else if (this.#waiting.length === maxSize) {
      this.#disarm()
      this.#timer = clock.setTimeout(() => this.#drain(true), joiningTime)
    }
    return undefined
  }

  /** Delivers what waits, without regard to the limit. Resolves when everything is delivered, or has failed. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#disarm()
    while (this.#waiting.length > 0) this.#deliverNext(this.#parts.maxSize)
    await Promise.all(this.#delivering)
  }

  get #joins(): boolean {
    return this.#parts.joinsBatches && !this.#parts.throttle
  }

  /** Delivers the full batches; with `all`, the last one as well. */
  #drain(all: boolean): void {
    this.#disarm()
    const { maxSize, maxWait, throttle, clock } = this.#parts
    while (this.#waiting.length >= (all ? 1 : maxSize)) {
      if (throttle && !this.#takeToken(throttle)) {
        const until = ((1 - this.#tokens) / throttle.qps) * 1000
        this.#timer = clock.setTimeout(() => this.#drain(all), Math.max(1, Math.ceil(until)))
        return
      }
      this.#deliverNext(this.#joins ? this.#waiting.length : maxSize)
    }
    if (this.#waiting.length > 0) this.#timer = clock.setTimeout(() => this.#drain(true), maxWait)
  }

  #disarm(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    if (this.#soon) clearImmediate(this.#soon)
    this.#soon = undefined
  }

  #takeToken({ qps, burst }: { readonly qps: number; readonly burst: number }): boolean {
    const now = this.#parts.clock.now()
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * qps)
    this.#filledAt = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }

  #deliverNext(size: number): void {
    const batch = this.#waiting.splice(0, size)
    let characters = 0
    for (const event of batch) characters += event.length
    const delivering = this.#parts.deliver(batch)
    if (!delivering) {
      this.#characters -= characters
      return
    }
    this.#delivering.add(delivering)
    void delivering.then(() => {
      this.#delivering.delete(delivering)
      this.#characters -= characters
    })
  }
}
