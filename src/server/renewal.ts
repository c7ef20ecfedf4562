import type { Clock, Timer } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'

const dayMs = 24 * 60 * 60 * 1000

/** Checks the certificates every day while the server runs, renews expiring ones and serves with the new ones. */
export class Renewal implements Part {
  readonly name = 'renewal of certificates'
  readonly #clock: Clock
  readonly #renew: () => Promise<void>
  readonly #log: Logger
  #timer: Timer | undefined

  constructor(clock: Clock, renew: () => Promise<void>, log: Logger) {
    this.#clock = clock
    this.#renew = renew
    this.#log = log
  }

  start(): void {
    this.#timer = this.#clock.setTimeout(() => {
      void this.reload()
      this.start()
    }, dayMs)
  }

  /** Renews the certificates now, or takes those that their files have. */
  async reload(): Promise<void> {
    try {
      await this.#renew()
    } catch (error) {
      this.#log.error(`renewing the certificates failed: ${error instanceof Error ? error.message : error}`)
    }
  }

  stop(): void {
    this.#timer?.cancel()
  }
}
