import type { Clock, Timer } from '../util/clock.js'

interface Waiting {
  readonly at: number
  readonly callback: () => void
}

/** A clock that stands still until a test advances it. */
export class FakeClock implements Clock {
  #now: number
  readonly #waiting = new Set<Waiting>()

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  setTimeout(callback: () => void, milliseconds: number): Timer {
    const waiting = { at: this.#now + milliseconds, callback }
    this.#waiting.add(waiting)
    return { cancel: () => this.#waiting.delete(waiting) }
  }

  /** Advances time. Callbacks that fall due run in order, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds
    for (let next = this.#due(end); next !== undefined; next = this.#due(end)) {
      this.#waiting.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.callback()
    }
    this.#now = end
  }

  #due(end: number): Waiting | undefined {
    let first: Waiting | undefined
    for (const waiting of this.#waiting) {
      if (waiting.at <= end && (first === undefined || waiting.at < first.at)) first = waiting
    }
    return first
  }
}
