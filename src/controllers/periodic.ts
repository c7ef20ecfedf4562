import type { Clock, Timer } from '../util/clock.js'
import type { Logger } from '../util/logger.js'
import type { Part } from '../util/part.js'

export interface PeriodicOptions {
  readonly name: string
  /** Does the work. Returns the milliseconds until the next time. */
  readonly work: () => Promise<number>
  /** Milliseconds after which failed work is tried again. */
  readonly retryMs: number
  readonly clock: Clock
  readonly log: Logger
}

/** Work that is done at the start, which waits for it, and repeatedly after that. Failures are logged. */
export class Periodic implements Part {
  readonly #options: PeriodicOptions
  #timer: Timer | undefined
  #running: Promise<void> | undefined
  #stopped = false

  constructor(options: PeriodicOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  async start(): Promise<void> {
    const { work, retryMs, clock, log } = this.#options
    const run = async (): Promise<number> => {
      try {
        return await work()
      } catch (error) {
        log.error(`${this.name}: ${error instanceof Error ? error.message : error}`)
        return retryMs
      }
    }
    const wait = (milliseconds: number) => {
      if (this.#stopped) return
      this.#timer = clock.setTimeout(() => {
        this.#running = run().then(wait)
      }, milliseconds)
    }
    this.#running = run().then(wait)
    await this.#running
  }

  /** Waits for work that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#timer?.cancel()
    await this.#running
  }
}
