/**
 * Measures how many seats a priority level could use: those that its requests have, and those that its waiting requests want. From
 * this its current limit is found every ten seconds (borrowing-limits.ts).
 */

/** Demand that has gone is forgotten by half in five minutes. */
const decay = 0.977

export class SeatDemand {
  /** Of the last period. */
  average = 0
  deviation = 0
  highWatermark = 0
  /** Rises at once, and falls slowly. */
  smoothed = 0
  #seats = 0
  #most = 0
  #since: number
  #time = 0
  #integral = 0
  #integralOfSquares = 0

  /** `now` in milliseconds, here and below. */
  constructor(now: number) {
    this.#since = now
  }

  set(seats: number, now: number): void {
    this.#advance(now)
    this.#seats = seats
    if (seats > this.#most) this.#most = seats
  }

  #advance(now: number): void {
    const time = now - this.#since
    this.#since = now
    this.#time += time
    this.#integral += this.#seats * time
    this.#integralOfSquares += this.#seats * this.#seats * time
  }

  /** Ends a period, and begins the next one. */
  endPeriod(now: number): void {
    this.#advance(now)
    this.highWatermark = this.#most
    if (this.#time > 0) {
      const average = this.#integral / this.#time
      this.average = average
      // rounding may make it a little less than zero
      this.deviation = Math.sqrt(Math.max(0, this.#integralOfSquares / this.#time - average * average))
      const envelope = average + this.deviation
      this.smoothed = Math.max(envelope, decay * this.smoothed + (1 - decay) * envelope)
    }
    this.#most = this.#seats
    this.#time = this.#integral = this.#integralOfSquares = 0
  }
}
