/** Names of Events: that of the object, and the time in nanoseconds. */
export class EventNames {
  /** A count keeps Events of one millisecond apart; a clock of a test may tell fractions of it. */
  #count = 0

  nameFor(object: string | undefined, now: number): string {
    const nanoseconds = BigInt(Math.trunc(now)) * 1_000_000n + BigInt(this.#count++ % 1_000_000)
    return `${object}.${nanoseconds.toString(16)}`
  }
}
