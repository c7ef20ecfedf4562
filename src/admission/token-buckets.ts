import type { Clock } from '../util/clock.js'

interface Rate {
  /** Tokens that a bucket gets a second. */
  readonly qps: number
  /** Tokens that it holds. */
  readonly burst: number
  /** Buckets that are remembered. */
  readonly cacheSize: number
}

interface Bucket {
  tokens: number
  /** When it had them, in milliseconds. */
  at: number
}

/** Buckets by key; the one that was used longest ago is forgotten, which fills it. */
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
