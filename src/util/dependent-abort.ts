/** A signal that aborts with others. */
import { setMaxListeners } from 'node:events'

/**
 * Aborts by itself, and when one of the others does, until it ends. `AbortSignal.any` keeps what it made as long as the others live, which may be as
 * long as the process.
 */
export class DependentAbort {
  readonly #abort = new AbortController()
  readonly #others: readonly AbortSignal[]
  readonly #onAbort = () => this.#abort.abort(this.#others.find(({ aborted }) => aborted)!.reason)

  constructor(...others: readonly (AbortSignal | undefined)[]) {
    this.#others = others.filter(signal => signal !== undefined)
    // one listener for each call under way is no leak; without targets, the limit of all emitters would go
    for (const signal of this.#others) setMaxListeners(0, signal)
    for (const signal of this.#others) {
      if (signal.aborted) this.#onAbort()
      signal.addEventListener('abort', this.#onAbort, { once: true })
    }
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  abort(reason: unknown): void {
    this.#abort.abort(reason)
  }

  /** The others concern it no more. */
  end(): void {
    for (const signal of this.#others) signal.removeEventListener('abort', this.#onAbort)
  }
}
