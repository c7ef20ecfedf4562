/** The time that a call may take, and what else ends it. */
import { DependentAbort } from '../../util/dependent-abort.js'
import { Broken } from './errors.js'

/** Aborts with others, and when the answer takes too long. */
export class Deadline {
  readonly #abort: DependentAbort
  readonly #timer: NodeJS.Timeout | undefined

  /** Without a time, only the others end it. */
  constructor(milliseconds: number | undefined, others: readonly (AbortSignal | undefined)[]) {
    this.#abort = new DependentAbort(...others)
    if (milliseconds !== undefined)
      this.#timer = setTimeout(() => this.#abort.abort(new Broken('the server did not answer in time')), milliseconds).unref()
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
    this.#abort.end()
  }
}
