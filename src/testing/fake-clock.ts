import { ControllableClock } from '../util/controllable-clock.js'

/** A clock that stands still until a test advances it. */
export class FakeClock extends ControllableClock {
  constructor(now = Date.UTC(2026, 0, 1)) {
    super()
    this.freeze(now)
  }
}
