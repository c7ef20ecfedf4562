/**
 * What the metrics of flow control count. Counting must cost next to nothing, so these are plain numbers, which `/metrics` reads.
 */

/** Observed values by buckets. */
export class Distribution {
  readonly limits: readonly number[]
  /** For each limit, the observations up to it and above the one before it; the last number counts those above all limits. */
  readonly counts: number[]
  sum = 0

  constructor(limits: readonly number[]) {
    this.limits = limits
    this.counts = new Array(limits.length + 1).fill(0)
  }

  observe(value: number, weight = 1): void {
    this.sum += value * weight
    this.counts[bucketOf(value, this.limits)]! += weight
  }
}

function bucketOf(value: number, limits: readonly number[]): number {
  let bucket = 0
  while (bucket < limits.length && value > limits[bucket]!) bucket++
  return bucket
}

const nanoseconds = 1e6

/** The distribution over time of a quantity, as a share of its limit: as if it were observed in every nanosecond. */
export class ShareOverTime {
  readonly observed: Distribution
  #value = 0
  #limit = 1
  #share = 0
  #bucket = 0
  #since: number

  /** `now` is in milliseconds, here and below. */
  constructor(limits: readonly number[], now: number) {
    this.observed = new Distribution(limits)
    this.#since = now
  }

  set(value: number, now: number): void {
    this.settle(now)
    this.#value = value
    this.#changed()
  }

  add(more: number, now: number): void {
    this.set(this.#value + more, now)
  }

  setLimit(limit: number, now: number): void {
    if (limit === this.#limit) return
    this.settle(now)
    this.#limit = limit
    this.#changed()
  }

  #changed(): void {
    this.#share = this.#value / this.#limit
    this.#bucket = bucketOf(this.#share, this.observed.limits)
  }

  /** Observes the time until now. */
  settle(now: number): void {
    const weight = Math.round((now - this.#since) * nanoseconds)
    if (weight <= 0) return
    this.#since = now
    this.observed.counts[this.#bucket]! += weight
    this.observed.sum += this.#share * weight
  }
}
