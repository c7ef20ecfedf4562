import { startSlice } from '../../util/turns.js'

/** Milliseconds of one turn in which requests may begin at once. Longer than a slice, because answers that leave together cost less. */
const atOnceMs = 10

/**
 * Begins requests that came together with others, one after the other. In each turn of the event loop, as many begin as a slice has time for; what a
 * request does before it first waits counts. Each connection has one entry at a time, and so as many turns as any other.
 */
export class Turns {
  /** Those that have their turn now, and those that have come since. */
  #running: (() => void)[] = []
  #next = 0
  #waiting: (() => void)[] = []
  #isScheduled = false
  #sliceIsOver = () => false
  /** Until when requests begin at once in this turn of the event loop; 0 while none has. */
  #atOnceUntil = 0

  /** Whether a task may run at once: nothing waits, and those that ran at once in this turn have left time. */
  isFree(): boolean {
    return !this.#isScheduled && !this.isLate()
  }

  /** Whether this turn of the event loop has run for so long that whatever comes should have a later one. */
  isLate(): boolean {
    const now = performance.now()
    if (this.#atOnceUntil === 0) {
      this.#atOnceUntil = now + atOnceMs
      setImmediate(this.#endTurn)
    }
    return now >= this.#atOnceUntil
  }

  readonly #endTurn = (): void => {
    this.#atOnceUntil = 0
  }

  /** Runs the task in a later turn. The task must not throw. */
  add(task: () => void): void {
    this.#waiting.push(task)
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(this.#begin)
  }

  readonly #begin = (): void => {
    this.#sliceIsOver = startSlice()
    if (this.#next === this.#running.length) {
      this.#running = this.#waiting
      this.#waiting = []
      this.#next = 0
    }
    this.#run()
  }

  readonly #run = (): void => {
    if (this.#next < this.#running.length && !this.#sliceIsOver()) {
      this.#running[this.#next++]!()
      // a tick comes after the promises that are settled
      queueMicrotask(this.#runNext)
    } else if (this.#next < this.#running.length || this.#waiting.length > 0) setImmediate(this.#begin)
    else {
      this.#running = []
      this.#next = 0
      this.#isScheduled = false
    }
  }

  readonly #runNext = (): void => process.nextTick(this.#run)
}
