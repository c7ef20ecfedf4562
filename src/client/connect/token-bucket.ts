/** Limits how often something happens, as client-go's flow control does: `qps` times a second, and `burst` times at once. */
import { performance } from 'node:perf_hooks'

export class TokenBucket {
  readonly #qps: number
  readonly #burst: number
  #tokens: number
  #since: number
  readonly #now: () => number

  constructor(qps: number, burst: number, now: () => number = () => performance.now()) {
    this.#qps = qps
    this.#burst = burst
    this.#tokens = burst
    this.#now = now
    this.#since = now()
  }

  /** Takes a token. Returns the milliseconds after which it may be used. Those who come later wait longer. */
  take(): number {
    const now = this.#now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#since) / 1000) * this.#qps)
    this.#since = now
    this.#tokens -= 1
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#qps) * 1000
  }
}
