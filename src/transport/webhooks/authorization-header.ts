import { readFile } from 'node:fs/promises'
import type { Clock } from '../../util/clock.js'
import { WebhookCallError } from './exchange.js'
import type { Credentials } from './kubeconfig.js'

/** Milliseconds after which a file with a token is read again. */
const tokenFileMs = 60_000

/** The Authorization header of a client, whose token may come from a file. */
export class AuthorizationHeader {
  readonly #credentials: Credentials
  readonly #clock: Clock
  #token: { readonly text: string; readonly until: number } | undefined

  constructor(credentials: Credentials, clock: Clock) {
    this.#credentials = credentials
    this.#clock = clock
  }

  /** Undefined when there is none. Rejects with a WebhookCallError. */
  async read(): Promise<string | undefined> {
    const { basic, token, tokenFile } = this.#credentials
    if (basic !== undefined) return `Basic ${Buffer.from(basic).toString('base64')}`
    if (tokenFile === undefined) return token === undefined ? undefined : `Bearer ${token}`
    if (!this.#token || this.#token.until <= this.#clock.now()) {
      try {
        this.#token = { text: (await readFile(tokenFile, 'utf8')).trim(), until: this.#clock.now() + tokenFileMs }
      } catch (error) {
        // the previous token may still be valid
        if (!this.#token) throw new WebhookCallError(`failed to read token file: ${(error as Error).message}`)
      }
    }
    return `Bearer ${this.#token!.text}`
  }
}
