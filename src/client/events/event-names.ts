/** Names of Events: that of the object, and the time in nanoseconds. */
export class EventNames {
  /** A count keeps Events of one millisecond apart; a clock of a test may tell fractions of it. */
  #count: number

  /** `first`: where the count begins, so that the names of several processes differ. */
  constructor(first = 0) {
    this.#count = first
  }

  nameFor(object: string | undefined, now: number): string {
    const nanoseconds = BigInt(Math.trunc(now)) * 1_000_000n + BigInt(this.#count++ % 1_000_000)
    return `${object}.${nanoseconds.toString(16)}`
  }
}
