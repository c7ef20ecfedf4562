import { ControllableClock } from '../util/controllable-clock.js'

/**
 * A clock that stands still until a test advances it: for the server option `clock`.
 *
 * @example
 * const clock = new FakeClock()
 * const server = createServer({ clock })
 * await server.start()
 * await clock.pass(2 * 60 * 60 * 1000) // Events are gone
 */
export class FakeClock extends ControllableClock {
  /** `now`: milliseconds since 1970; the first of January 2026 when left out. */
  constructor(now = Date.UTC(2026, 0, 1)) {
    super()
    this.freeze(now)
  }
}
