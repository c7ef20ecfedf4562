/** The states of something that is started and stopped. Calls that come meanwhile share one answer. */

/** Makes and ends what runs. */
export interface Life<Running> {
  start(): Promise<Running>
  stop(running: Running): Promise<void>
}

/**
 * Work is done one after the other, in the order of the calls. A start while it starts or runs, and a stop while it stops, share the
 * promise of the first call. A stop during a start waits for the start and undoes it; the start then rejects.
 */
export class Lifecycle<Running> {
  readonly #life: Life<Running>
  #running: Running | undefined
  #starting: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(life: Life<Running>) {
    this.#life = life
  }

  /** Returns what runs. Throws when nothing runs. */
  get running(): Running {
    if (this.#running === undefined || this.#stopping) throw new Error('the server is not running: call start() first')
    return this.#running
  }

  /** The start that is under way; undefined when none is. */
  get starting(): Promise<void> | undefined {
    return this.#running === undefined ? this.#starting : undefined
  }

  start(): Promise<void> {
    if (this.#starting) return this.#starting
    const starting: Promise<void> = this.#next(async () => {
      this.#running = await this.#life.start()
      if (this.#starting !== starting) throw new Error('the server was stopped while it started')
    })
    this.#starting = starting
    starting.catch(() => {
      // a start that failed may be repeated
      if (this.#starting === starting) this.#starting = undefined
    })
    return starting
  }

  stop(): Promise<void> {
    if (!this.#starting && !this.#stopping) return this.#last.then(() => {})
    if (this.#stopping && !this.#starting) return this.#stopping
    this.#starting = undefined
    const stopping: Promise<void> = this.#next(async () => {
      const running = this.#running
      this.#running = undefined
      if (running !== undefined) await this.#life.stop(running)
    }).finally(() => {
      if (this.#stopping === stopping) this.#stopping = undefined
    })
    this.#stopping = stopping
    return stopping
  }

  /** Replaces what runs. When `change` fails, nothing runs any more. */
  replace(change: (running: Running) => Promise<Running>): Promise<void> {
    const { running: _ } = this
    return this.#next(async () => {
      const before = this.running
      this.#running = undefined
      try {
        this.#running = await change(before)
      } catch (error) {
        this.#starting = undefined
        throw error
      }
    })
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}
