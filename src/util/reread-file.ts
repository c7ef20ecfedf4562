/** Files whose content changes while a client runs: tokens and certificates that are rotated. */
import { readFile } from 'node:fs/promises'
import type { Clock } from './clock.js'
import { fileError } from './user-error.js'

/** Milliseconds after which a file is read again: client-go's for tokens. */
const freshMs = 60_000

export class RereadFile {
  readonly #what: string
  readonly #path: string
  readonly #clock: Clock
  #content: string | undefined
  #until = 0
  #reading: Promise<string> | undefined

  /** `what` names the file in errors. */
  constructor(what: string, path: string, clock: Clock) {
    this.#what = what
    this.#path = path
    this.#clock = clock
  }

  /** The content, which may be a minute old. Rejects with a UserError when the file could never be read. */
  read(): Promise<string> {
    if (this.#content !== undefined && this.#clock.now() < this.#until) return Promise.resolve(this.#content)
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** Reads the file now. Resolves with whether its content is another one. */
  async reread(): Promise<boolean> {
    const before = this.#content
    this.#until = 0
    return (await this.read()) !== before
  }

  async #read(): Promise<string> {
    try {
      this.#content = await readFile(this.#path, 'utf8')
      this.#until = this.#clock.now() + freshMs
    } catch (error) {
      // the previous content may still be valid: a rotation may be under way
      if (this.#content === undefined) throw fileError(`${this.#what} ${this.#path}`, error)
    }
    return this.#content!
  }
}
