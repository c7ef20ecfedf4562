/** Authenticates JSON Web Tokens from the issuers of an AuthenticationConfiguration, which may change while the server runs. */
import { equalJson } from '../../../util/json.js'
import type { Authenticated, TokenAuthenticator } from '../authenticator.js'
import { claimedIssuer } from './compact-jws.js'
import type { CompiledJwt } from './compiled.js'
import { Issuer, type IssuerServices } from './issuer.js'

export interface JwtAuthenticatorOptions extends IssuerServices {
  readonly jwt: readonly CompiledJwt[]
  /** The audiences by which the server is known. */
  readonly apiAudiences: readonly string[]
}

/** Milliseconds that new issuers have to become ready. */
const updateMs = 60_000
const checkMs = 10_000
/** Milliseconds for which requests that began with a removed issuer may continue. */
const graceMs = 60_000
/** Milliseconds after that until the metrics of the issuer disappear. */
const metricsMs = 30_000

export class JwtAuthenticator implements TokenAuthenticator {
  readonly #options: JwtAuthenticatorOptions
  #issuers: ReadonlyMap<string, Issuer>

  constructor(options: JwtAuthenticatorOptions) {
    this.#options = options
    this.#issuers = this.#make(options.jwt)
  }

  /**
   * Resolves when every issuer has been asked for the first time. The server does not wait for that, because an issuer may run on
   * it.
   */
  async start(): Promise<void> {
    await Promise.all([...this.#issuers.values()].map(issuer => issuer.start()))
  }

  stop(): void {
    for (const issuer of this.#issuers.values()) issuer.stop()
  }

  authenticateToken(token: string, audiences?: readonly string[]): undefined | Promise<Authenticated> {
    if (this.#issuers.size === 0) return undefined
    // a token from an issuer is for this server, whatever audiences the issuer gave it
    if (audiences && !audiences.some(audience => this.#options.apiAudiences.includes(audience))) return undefined
    const url = claimedIssuer(token)
    return url === undefined ? undefined : this.#issuers.get(url)?.authenticate(token)
  }

  /**
   * Replaces the issuers, once all of them are ready. Rejects when they are not within a minute; then the ones before stay.
   * Issuers that are the same as before keep their keys. `signal` gives the update up.
   */
  async update(jwt: readonly CompiledJwt[], signal?: AbortSignal): Promise<void> {
    const before = this.#issuers
    const after = this.#make(jwt, before)
    const added = [...after.values()].filter(issuer => !isOf(before, issuer))
    const giveUp = () => {
      for (const issuer of added) issuer.stop()
    }
    signal?.addEventListener('abort', giveUp)
    await Promise.all(added.map(issuer => issuer.start()))
    const problem = await this.#untilReady(after, signal)
    signal?.removeEventListener('abort', giveUp)
    if (problem !== undefined) {
      giveUp()
      throw new Error(problem)
    }
    this.#issuers = after
    const { clock, metrics } = this.#options
    const removed = [...before.values()].filter(issuer => !isOf(after, issuer))
    clock.setTimeout(() => {
      for (const issuer of removed) issuer.stop()
      clock.setTimeout(() => {
        for (const { url } of removed) if (!this.#issuers.has(url)) metrics.issuerRemoved(url)
      }, metricsMs)
    }, graceMs)
  }

  #make(jwt: readonly CompiledJwt[], before: ReadonlyMap<string, Issuer> = new Map()): Map<string, Issuer> {
    return new Map(
      jwt.map(compiled => {
        const { url = '' } = compiled.config.issuer
        const known = before.get(url)
        const isSame = known && equalJson(known.jwt.config, compiled.config)
        return [url, isSame ? known : new Issuer(compiled, this.#options)]
      })
    )
  }

  async #untilReady(issuers: ReadonlyMap<string, Issuer>, signal?: AbortSignal): Promise<string | undefined> {
    const { clock } = this.#options
    const end = clock.now() + updateMs
    for (;;) {
      const problem = [...issuers.values()].find(issuer => issuer.problem !== undefined)?.problem
      if (problem === undefined || clock.now() >= end || signal?.aborted) return problem
      await new Promise<void>(resolve => {
        clock.setTimeout(resolve, checkMs)
        signal?.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
}

const isOf = (issuers: ReadonlyMap<string, Issuer>, issuer: Issuer) => issuers.get(issuer.url) === issuer
