import { type Clock, systemClock, type Timer } from './clock.js'
import { nextTurn } from './turns.js'

interface Waiting {
  /** When the callback falls due, by this clock. */
  at: number
  readonly callback: () => void
  /** The timer of the clock that this one follows; undefined while this clock is frozen. */
  timer: Timer | undefined
}

/** For how many turns of the event loop nothing must be under way: work goes from one to the next by way of watches. */
const quietTurns = 10
/** Work that does not come to its end is not waited for any longer: it may wait for a time that is still to come. */
const mostTurns = 20_000

/**
 * A clock that follows another one until it is frozen, and then moves only when it is advanced. What waits for a time keeps the time
 * that it has left when the clock is frozen or released.
 *
 * @example
 * const clock = new ControllableClock() // the system's time
 * const server = createServer({ clock })
 * await server.start()
 * clock.freeze()
 * await clock.pass(2 * 60 * 60 * 1000)
 */
export class ControllableClock implements Clock {
  readonly #base: Clock
  readonly #waiting = new Set<Waiting>()
  readonly #work = new Set<() => boolean>()
  #frozenAt: number | undefined
  #walksUntil: number | undefined

  constructor(base: Clock = systemClock) {
    this.#base = base
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined
  }

  get walksUntil(): number | undefined {
    return this.#walksUntil
  }

  now(): number {
    return this.#frozenAt ?? this.#base.now()
  }

  setTimeout(callback: () => void, milliseconds: number): Timer {
    const waiting: Waiting = { at: this.now() + milliseconds, callback, timer: undefined }
    this.#waiting.add(waiting)
    if (!this.isFrozen) this.#follow(waiting, milliseconds)
    return {
      cancel: () => {
        waiting.timer?.cancel()
        this.#waiting.delete(waiting)
      }
    }
  }

  watchWork(isBusy: () => boolean): () => void {
    this.#work.add(isBusy)
    return () => void this.#work.delete(isBusy)
  }

  async #settled(): Promise<void> {
    for (let quiet = 0, turn = 0; quiet < quietTurns && turn < mostTurns; turn++) {
      await nextTurn()
      quiet = this.#isBusy ? 0 : quiet + 1
    }
  }

  get #isBusy(): boolean {
    for (const isBusy of this.#work) if (isBusy()) return true
    return false
  }

  /** Makes time stand still. Nothing falls due through this, however far the clock jumps. */
  freeze(at: number = this.now()): void {
    const jump = at - this.now()
    for (const waiting of this.#waiting) {
      waiting.timer?.cancel()
      waiting.timer = undefined
      waiting.at += jump
    }
    this.#frozenAt = at
  }

  /** Follows the other clock again. */
  release(): void {
    if (this.#frozenAt === undefined) return
    const jump = this.#base.now() - this.#frozenAt
    this.#frozenAt = undefined
    const now = this.now()
    for (const waiting of this.#waiting) {
      waiting.at += jump
      this.#follow(waiting, Math.max(0, waiting.at - now))
    }
  }

  /** Advances a frozen clock. Callbacks that fall due run in order, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#endAfter(milliseconds)
    while (this.#runNext(end));
    if (this.isFrozen) this.#frozenAt = end
  }

  /**
   * Advances a frozen clock as `advance` does. Before time moves on, what a callback has begun comes to its end, as far as that waits
   * for no network or disk. Rejects with the signal's reason when that aborts: the clock then stands where it has come to. Ends early
   * when somebody freezes or releases the clock meanwhile.
   */
  async pass(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const end = this.#endAfter(milliseconds)
    this.#walksUntil = end
    try {
      while (this.#runDue(end)) {
        const at = this.#frozenAt
        await this.#settled()
        signal?.throwIfAborted()
        if (this.#frozenAt !== at) return
      }
      if (this.isFrozen) this.#frozenAt = end
      await this.#settled()
    } finally {
      this.#walksUntil = undefined
    }
  }

  /** Returns a clock that follows the same clock, and shows the same time: it is frozen where this one is. */
  copy(): ControllableClock {
    const copy = new ControllableClock(this.#base)
    if (this.#frozenAt !== undefined) copy.freeze(this.#frozenAt)
    return copy
  }

  #endAfter(milliseconds: number): number {
    if (this.#frozenAt === undefined) throw new Error('only a frozen clock can be advanced')
    return this.#frozenAt + milliseconds
  }

  /** Moves to what falls due next, and runs all that is due at that time. Returns false when nothing falls due until `end`. */
  #runDue(end: number): boolean {
    if (!this.#runNext(end)) return false
    const now = this.#frozenAt!
    // those that are added meanwhile come after what they wait for
    for (const waiting of [...this.#waiting])
      if (waiting.at <= now && this.#frozenAt === now && this.#waiting.delete(waiting)) waiting.callback()
    return true
  }

  /** Moves to what falls due next, and runs it. Returns false when nothing falls due until `end`. */
  #runNext(end: number): boolean {
    let first: Waiting | undefined
    for (const waiting of this.#waiting) {
      if (waiting.at <= end && (first === undefined || waiting.at < first.at)) first = waiting
    }
    if (first === undefined || this.#frozenAt === undefined) return false
    this.#waiting.delete(first)
    this.#frozenAt = Math.max(this.#frozenAt, first.at)
    first.callback()
    return true
  }

  #follow(waiting: Waiting, milliseconds: number): void {
    waiting.timer = this.#base.setTimeout(() => {
      this.#waiting.delete(waiting)
      waiting.callback()
    }, milliseconds)
  }
}
