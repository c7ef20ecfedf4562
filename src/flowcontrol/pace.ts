/**
 * Decides how many requests may begin in one turn of the event loop.
 *
 * kube-apiserver's seats are goroutines that run side by side. Here a request has the only thread until it waits for something, so
 * seats are hardly ever the limit: the thread is. What begins at once cannot be overtaken, and so requests begin only as long as the
 * turn is short; the others wait in their queues, and fair queuing decides who is next.
 */

/** A set of queues, as far as the pace is concerned with it. */
export interface Paced {
  /** Its share of the thread while others wait as well: its seats. */
  readonly weight: number
  /** What it has had of the thread, divided by its weight. */
  pass: number
  /** Lets one waiting request begin. False when none can. */
  dispatchOne(): boolean
}

export interface Pace {
  /** Whether a request that has just come may begin in this turn. */
  isFree(): boolean
  /** Lets waiting requests of the set begin, as many as can, when their turn has come. */
  wake(set: Paced): void
}

/** Milliseconds that a turn should take at most, with all that happens in it. */
const turnMs = 1
/** Milliseconds in which requests may begin in every turn, however long the turn has been. */
const leastMs = 0.25

export class EventLoopPace implements Pace {
  readonly #waiting = new Set<Paced>()
  /** Since when this turn handles events; undefined while nothing has begun. */
  #began: number | undefined
  /** When requests stop beginning in this turn. */
  #until = 0
  #scheduled = false
  /** The pass of the set that was last served: a set that begins to wait counts as having had as much. */
  #pass = 0
  #served: Paced | undefined
  #servedAt = 0

  isFree(): boolean {
    if (this.#waiting.size > 0) return false
    const now = performance.now()
    if (this.#began !== undefined) return now < this.#until
    this.#began = now
    this.#until = now + turnMs
    this.#scheduleEnd()
    return true
  }

  wake(set: Paced): void {
    if (this.#waiting.has(set)) return
    if (set.pass < this.#pass) set.pass = this.#pass
    this.#waiting.add(set)
    this.#began ??= performance.now()
    this.#scheduleEnd()
  }

  #scheduleEnd(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(this.#endTurn)
  }

  /** When the turn's events have been handled, those may begin that wait, for as long as these events have left time. */
  readonly #endTurn = (): void => {
    this.#scheduled = false
    const began = this.#began!
    this.#began = undefined
    if (this.#waiting.size === 0) return
    const now = performance.now()
    this.#began = now
    this.#until = now + Math.max(turnMs - (now - began), leastMs)
    this.#serve()
  }

  readonly #serve = (): void => {
    const now = performance.now()
    if (this.#served) {
      this.#served.pass += (now - this.#servedAt) / this.#served.weight
      this.#served = undefined
    }
    for (let next = this.#next(); next && now < this.#until; next = this.#next()) {
      this.#pass = next.pass
      if (next.dispatchOne()) {
        this.#served = next
        this.#servedAt = now
        // after the answer has been sent, unless it has to wait for something: a tick comes after the promises that are settled
        return queueMicrotask(this.#serveNext)
      }
      this.#waiting.delete(next)
    }
    this.#began = now
    this.#scheduleEnd()
  }

  readonly #serveNext = (): void => process.nextTick(this.#serve)

  /** The set that has had the least. */
  #next(): Paced | undefined {
    let next: Paced | undefined
    for (const set of this.#waiting) if (!next || set.pass < next.pass) next = set
    return next
  }
}
