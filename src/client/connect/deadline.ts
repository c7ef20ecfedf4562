/** The time that a call may take, and what else ends it. */
import { Broken } from './errors.js'

/**
 * Aborts with others, and when the answer takes too long. Listens itself: `AbortSignal.any` keeps what it made for a signal that lives as long as
 * the client.
 */
export class Deadline {
  readonly #abort = new AbortController()
  readonly #others: readonly AbortSignal[]
  readonly #timer: NodeJS.Timeout | undefined
  readonly #onAbort = () => this.#abort.abort(this.#others.find(({ aborted }) => aborted)!.reason)

  /** Without a time, only the others end it. */
  constructor(milliseconds: number | undefined, others: readonly (AbortSignal | undefined)[]) {
    this.#others = others.filter(signal => signal !== undefined)
    if (milliseconds !== undefined)
      this.#timer = setTimeout(() => this.#abort.abort(new Broken('the server did not answer in time')), milliseconds).unref()
    for (const signal of this.#others) {
      if (signal.aborted) this.#abort.abort(signal.reason)
      signal.addEventListener('abort', this.#onAbort, { once: true })
    }
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The answer has begun: it may take its time. */
  answered(): void {
    clearTimeout(this.#timer)
  }

  /** The answer has ended. */
  end(): void {
    clearTimeout(this.#timer)
    for (const signal of this.#others) signal.removeEventListener('abort', this.#onAbort)
  }
}
