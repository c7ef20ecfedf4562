/** Finds how long refused clients should wait: longer while many are refused, as TCP does with congestion. */

const mostSeconds = 32

class Refusals {
  seconds = 1
  #raisedAt = 0
  /** The second that is counted now. */
  #second = 0
  #count = 0
  /** Refusals of former seconds. */
  #history: { readonly second: number; readonly count: number }[] = []

  add(second: number): void {
    if (second === this.#second) {
      this.#count++
      return
    }
    this.#history.push({ second: this.#second, count: this.#count })
    const kept = Math.min(2 * this.seconds, mostSeconds)
    while (this.#second - this.#history[0]!.second > kept) this.#history.shift()
    this.#second = second
    this.#count = 1
    this.#adjust(second)
  }

  /** Doubles the wait after three refusals a second, at most once in the wait; shortens it by a second after few. */
  #adjust(now: number): void {
    const { seconds } = this
    let recent = 0
    for (const { second, count } of this.#history) if (now - second <= seconds && second < now) recent += count
    if (now - this.#raisedAt >= seconds && recent >= 3 * seconds) {
      this.seconds = Math.min(2 * seconds, mostSeconds)
      this.#raisedAt = now
    } else if (recent < seconds && seconds > 1) this.seconds--
  }
}

/** By priority level. */
export class RetryAfter {
  readonly #levels = new Map<string, Refusals>()

  /** Notes a refusal, and returns the seconds for its Retry-After. `now` in milliseconds. */
  refused(level: string, now: number): number {
    let refusals = this.#levels.get(level)
    if (!refusals) this.#levels.set(level, (refusals = new Refusals()))
    refusals.add(Math.floor(now / 1000))
    return refusals.seconds
  }

  /** Forgets levels that exist no longer. */
  keepOnly(exists: (level: string) => boolean): void {
    for (const level of this.#levels.keys()) if (!exists(level)) this.#levels.delete(level)
  }
}
