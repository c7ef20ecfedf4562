/** A quantity that the metrics of flow control measure over time. */
import { Distribution } from '../../util/instruments/series.js'

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
    const { observed } = this
    if (this.#bucket < observed.counts.length) observed.counts[this.#bucket]! += weight
    observed.count += weight
    observed.sum += this.#share * weight
  }
}
