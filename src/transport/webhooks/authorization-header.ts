import type { Clock } from '../../util/clock.js'
import { RereadFile } from '../../util/reread-file.js'
import { WebhookCallError } from './exchange.js'
import type { Credentials } from './kubeconfig.js'

/** The Authorization header of a client, whose token may come from a file. */
export class AuthorizationHeader {
  readonly #credentials: Credentials
  readonly #file: RereadFile | undefined

  constructor(credentials: Credentials, clock: Clock) {
    this.#credentials = credentials
    const { tokenFile } = credentials
    if (tokenFile !== undefined) this.#file = new RereadFile('token file', tokenFile, clock)
  }

  /** Undefined when there is none. Rejects with a WebhookCallError. */
  async read(): Promise<string | undefined> {
    const { basic, token } = this.#credentials
    if (basic !== undefined) return `Basic ${Buffer.from(basic).toString('base64')}`
    if (!this.#file) return token === undefined ? undefined : `Bearer ${token}`
    try {
      return `Bearer ${(await this.#file.read()).trim()}`
    } catch (error) {
      throw new WebhookCallError(`failed to read token file: ${((error as Error).cause as Error).message}`)
    }
  }
}
