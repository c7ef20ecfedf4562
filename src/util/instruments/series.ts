/** The values of one series of a metric. Code that counts often keeps the series, so that counting is a single addition. */
import { NativeBuckets } from './native-buckets.js'

export class Count {
  value = 0

  add(more = 1): void {
    this.value += more
  }

  set(value: number): void {
    this.value = value
  }
}

export class Distribution {
  readonly limits: readonly number[]
  /** For each limit, the observations up to it and above the one before it. */
  readonly counts: number[]
  readonly native = new NativeBuckets()
  sum = 0
  count = 0

  /** `limits`: ascending, without infinity. */
  constructor(limits: readonly number[]) {
    this.limits = limits
    this.counts = new Array(limits.length).fill(0)
  }

  observe(value: number): void {
    this.sum += value
    this.count++
    this.native.observe(value)
    const { limits } = this
    for (let i = 0; i < limits.length; i++) {
      if (value <= limits[i]!) {
        this.counts[i]!++
        return
      }
    }
  }

  reset(): void {
    this.counts.fill(0)
    this.native.reset()
    this.sum = this.count = 0
  }
}

/** How many observations a summary keeps for its quantiles. */
const remembered = 512

/** Computes quantiles of the latest observations. */
export class Quantiles {
  readonly #latest: number[] = []
  #next = 0
  sum = 0
  count = 0

  observe(value: number): void {
    this.sum += value
    this.count++
    this.#latest[this.#next] = value
    this.#next = (this.#next + 1) % remembered
  }

  /** NaN when nothing has been observed. */
  at(quantiles: readonly number[]): number[] {
    const sorted = [...this.#latest].sort((a, b) => a - b)
    return quantiles.map(q => (sorted.length === 0 ? Number.NaN : sorted[Math.ceil(q * sorted.length) - 1]!))
  }

  reset(): void {
    this.#latest.length = this.#next = this.sum = this.count = 0
  }
}
