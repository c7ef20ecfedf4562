/** Verifies the tokens of one issuer, once it has been discovered; discovery is tried every ten seconds. */

import type { Clock, Timer } from '../../../util/clock.js'
import type { JsonObject } from '../../../util/json.js'
import { TokenError } from '../authenticator.js'
import { parseJson, readCompactJws } from './compact-jws.js'
import { checkIdToken, quotedList } from './id-token.js'
import type { IssuerClient } from './issuer-client.js'
import { KeySet } from './key-set.js'
import { discoverKeysUrl } from './provider.js'

const retryMs = 10_000

export interface VerifierOptions {
  readonly issuer: string
  readonly discoveryURL?: string | undefined
  readonly audiences: readonly string[]
  readonly signingAlgorithms: readonly string[]
  readonly client: IssuerClient
  readonly clock: Clock
  /** Receives the text of the fetched keys; undefined when fetching failed. */
  keysFetched(text: string | undefined): void
  /** Receives the reason why the issuer could not be discovered. */
  undiscovered(problem: string): void
}

export class Verifier {
  readonly #options: VerifierOptions
  #keys: KeySet | undefined
  #problem: string
  #timer: Timer | undefined
  #stopped = false

  constructor(options: VerifierOptions) {
    this.#options = options
    this.#problem = `oidc: authenticator for issuer "${options.issuer}" is not initialized`
  }

  /** Discovers the issuer, and repeats that until it succeeds. */
  async start(): Promise<void> {
    const { client, issuer, discoveryURL, clock, undiscovered, keysFetched } = this.#options
    try {
      const url = await discoverKeysUrl(client, issuer, discoveryURL)
      this.#keys = new KeySet({ url, client, clock, fetched: text => !this.#stopped && keysFetched(text) })
    } catch (error) {
      if (this.#stopped) return
      this.#problem = (error as Error).message
      undiscovered(this.#problem)
      this.#timer = clock.setTimeout(() => void this.start(), retryMs)
    }
  }

  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
  }

  get isReady(): boolean {
    return this.#keys !== undefined
  }

  /** Why the verifier is not ready; undefined when it is. */
  get problem(): string | undefined {
    return this.isReady ? undefined : this.#problem
  }

  /** Resolves with the claims, and rejects with a TokenError. To be called only when the verifier is ready. */
  async verify(token: string): Promise<JsonObject> {
    const { issuer, audiences, signingAlgorithms, clock } = this.#options
    const jws = readCompactJws(token)
    if (!signingAlgorithms.includes(jws.algorithm))
      throw new TokenError(
        `oidc: id token signed with unsupported algorithm, expected ${quotedList(signingAlgorithms)} got ${JSON.stringify(jws.algorithm)}`
      )
    try {
      await this.#keys!.verify(jws)
    } catch (error) {
      throw error instanceof TokenError ? new TokenError(`failed to verify signature: ${error.message}`) : error
    }
    return checkIdToken(parseJson(jws.payload), { issuer, audiences, now: () => clock.now() })
  }
}
