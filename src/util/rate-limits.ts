/** How long an item waits before its work is tried again: the rate limiters of client-go's work queues. */
import type { Clock } from './clock.js'

export interface RateLimiter {
  /** Counts a failure, and returns the milliseconds to wait. */
  when(item: string): number
  forget(item: string): void
  failures(item: string): number
}

/** A delay that doubles with each failure of an item, in milliseconds. */
export class ExponentialBackoff implements RateLimiter {
  readonly #failures = new Map<string, number>()
  readonly #base: number
  readonly #max: number

  constructor(base: number, max: number) {
    this.#base = base
    this.#max = max
  }

  when(item: string): number {
    const failures = this.failures(item)
    this.#failures.set(item, failures + 1)
    return Math.min(this.#max, this.#base * 2 ** failures)
  }

  forget(item: string): void {
    this.#failures.delete(item)
  }

  failures(item: string): number {
    return this.#failures.get(item) ?? 0
  }
}

/** A bound for all items together: `burst` at once, then so many per second. What comes sooner waits its turn. */
export class Bucket implements RateLimiter {
  readonly #perMs: number
  readonly #burst: number
  readonly #clock: Clock
  /** Below zero when turns are taken in advance. */
  #tokens: number
  #since: number

  constructor(perSecond: number, burst: number, clock: Clock) {
    this.#perMs = perSecond / 1000
    this.#burst = burst
    this.#clock = clock
    this.#tokens = burst
    this.#since = clock.now()
  }

  when(): number {
    const now = this.#clock.now()
    // a clock that is set back gives nothing and takes nothing
    this.#tokens = Math.min(this.#burst, this.#tokens + Math.max(0, now - this.#since) * this.#perMs) - 1
    this.#since = now
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs
  }

  forget(): void {}

  failures(): number {
    return 0
  }
}

/** The longest delay of several limiters. */
export class LongestOf implements RateLimiter {
  readonly #limiters: readonly RateLimiter[]

  constructor(...limiters: readonly RateLimiter[]) {
    this.#limiters = limiters
  }

  when(item: string): number {
    return Math.max(...this.#limiters.map(limiter => limiter.when(item)))
  }

  forget(item: string): void {
    for (const limiter of this.#limiters) limiter.forget(item)
  }

  failures(item: string): number {
    return Math.max(...this.#limiters.map(limiter => limiter.failures(item)))
  }
}

/** client-go's default for controllers: 5 ms to 1000 s for an item, and 10 per second after the first 100 for all. */
export const controllerRateLimiter = (clock: Clock): RateLimiter =>
  new LongestOf(new ExponentialBackoff(5, 1_000_000), new Bucket(10, 100, clock))
