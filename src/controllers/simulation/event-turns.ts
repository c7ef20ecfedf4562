/**
 * When the Events of a simulated cluster are written: after the work of which they tell, since whoever waits for a Pod does not wait for its Events. Each
 * recorder asks before it writes its next Event.
 */
import type { Clock, Timer } from '../../util/clock.js'

/** A recorder with so many Events does not wait: it would lose those that come beyond its longest queue. */
const many = 500
/** Beside work that does not end, one Event is written in this time. */
const besideMs = 20
/** For so many turns of the event loop there has to be no work: what one controller has written makes work for others. */
const quietTurns = 3

export class EventTurns {
  readonly #clock: Clock
  readonly #isBusy: () => boolean
  readonly #waiting: (() => void)[] = []
  #timer: Timer | undefined
  /** How many turns of the event loop without work are still to be seen; 0 while nobody looks. */
  #quietAfter = 0
  #isQuiet = false
  #isOpen = true

  /** `isBusy`: whether there is work. */
  constructor(clock: Clock, isBusy: () => boolean) {
    this.#clock = clock
    this.#isBusy = isBusy
  }

  /** Resolves when the next Event of a recorder may be written, which has so many of them. */
  async next(events: number): Promise<void> {
    if (this.#isQuiet && this.#isBusy()) this.#isQuiet = false
    if (this.#isQuiet || !this.#isOpen || events >= many) return
    const turn = new Promise<void>(resolve => void this.#waiting.push(resolve))
    this.#timer ??= this.#clock.setTimeout(this.#beside, besideMs)
    this.mayBeQuiet()
    await turn
  }

  /** To be called when some work comes to its end. */
  mayBeQuiet(): void {
    if (this.#waiting.length === 0) return
    const isAwaited = this.#quietAfter > 0
    this.#quietAfter = quietTurns
    if (!isAwaited) setImmediate(this.#look)
  }

  /** Lets all go on, and nobody wait any more. */
  close(): void {
    this.#isOpen = false
    this.#release()
  }

  readonly #look = (): void => {
    const isBusy = this.#isBusy()
    this.#quietAfter = isBusy ? 0 : this.#quietAfter - 1
    if (this.#quietAfter > 0) return void setImmediate(this.#look)
    this.#isQuiet = !isBusy
    if (this.#isQuiet) this.#release()
  }

  readonly #beside = (): void => {
    this.#waiting.shift()?.()
    this.#timer = this.#waiting.length > 0 ? this.#clock.setTimeout(this.#beside, besideMs) : undefined
  }

  #release(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    for (const go of this.#waiting.splice(0)) go()
  }
}
