import type { Clock, Timer } from '../util/clock.js'
import { nextTurn } from '../util/turns.js'

interface Waiting {
  readonly at: number
  readonly callback: () => void
}

/**
 * A clock that stands still until a test advances it: for the server option `clock`.
 *
 * @example
 * const clock = new FakeClock()
 * const server = createServer({ clock })
 * await server.start()
 * await clock.pass(2 * 60 * 60 * 1000) // Events are gone
 */
export class FakeClock implements Clock {
  #now: number
  readonly #waiting = new Set<Waiting>()

  /** `now`: milliseconds since 1970; the first of January 2026 when left out. */
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

  /** Advances time as `advance` does, and lets what each callback begins come to its end, as far as it waits for no network or disk. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds
    for (let next = this.#due(end); next !== undefined; next = this.#due(end)) {
      this.advance(Math.max(0, next.at - this.#now))
      await settled()
    }
    this.advance(end - this.#now)
    await settled()
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

/** Turns of the event loop in which a controller's work, step by step, finds its end. */
const turns = 10

async function settled(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await nextTurn()
}
