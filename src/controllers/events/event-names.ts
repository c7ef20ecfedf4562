/** Names of Events: that of the object, and the time in nanoseconds. */
export class EventNames {
  /** Clocks tell milliseconds: a count keeps Events of one millisecond apart. */
  #count = 0

  nameFor(object: string | undefined, now: number): string {
    const nanoseconds = BigInt(now) * 1_000_000n + BigInt(this.#count++ % 1_000_000)
    return `${object}.${nanoseconds.toString(16)}`
  }
}
