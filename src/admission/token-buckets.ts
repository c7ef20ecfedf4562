import type { Clock } from '../util/clock.js'

interface Rate {
  /** How many tokens a bucket gets in a second. */
  readonly qps: number
  /** How many tokens it holds at most. */
  readonly burst: number
  /** How many buckets are remembered. */
  readonly cacheSize: number
}

interface Bucket {
  tokens: number
  /** The time for which `tokens` was computed, in milliseconds. */
  at: number
}

/** Buckets by key. The one that was used longest ago is forgotten first, which amounts to filling it. */
export class TokenBuckets {
  readonly #rate: Rate
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
  }

  /** Takes a token, or returns false when there is none. */
  take(key: string): boolean {
    const bucket = this.#bucket(key)
    const { qps, burst } = this.#rate
    const now = this.#clock.now()
    const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * qps) / 1000)
    if (tokens < 1) return false
    bucket.tokens = tokens - 1
    bucket.at = now
    return true
  }

  #bucket(key: string): Bucket {
    let bucket = this.#buckets.get(key)
    if (bucket) this.#buckets.delete(key)
    else {
      bucket = { tokens: this.#rate.burst, at: this.#clock.now() }
      if (this.#buckets.size >= this.#rate.cacheSize) this.#buckets.delete(this.#buckets.keys().next().value!)
    }
    this.#buckets.set(key, bucket)
    return bucket
  }
}
