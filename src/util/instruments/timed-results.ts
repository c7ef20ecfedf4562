import type { Counter, Histogram } from './family.js'
import type { Count, Distribution } from './series.js'

interface Series {
  readonly count: Count
  readonly seconds: Distribution
}

/** Counts and times the work of a stage by its result. */
export class TimedResults<Result extends string> {
  readonly #count: Counter
  readonly #seconds: Histogram
  /** The times of the whole stage, whatever the result. */
  readonly #stage: Distribution
  readonly #series = new Map<Result, Series>()

  /** `count` and `seconds` have the result as their only label. */
  constructor(count: Counter, seconds: Histogram, stage: Distribution) {
    this.#count = count
    this.#seconds = seconds
    this.#stage = stage
  }

  /** `began` is a time of performance.now(), in milliseconds. Returns the present time. */
  ended(result: Result, began: number): number {
    let series = this.#series.get(result)
    if (!series) this.#series.set(result, (series = { count: this.#count.of(result), seconds: this.#seconds.of(result) }))
    const now = performance.now()
    const seconds = (now - began) / 1000
    series.count.value++
    series.seconds.observe(seconds)
    this.#stage.observe(seconds)
    return now
  }
}
