/** Authenticates the tokens of one issuer. */
import type { Connect, EgressSelector } from '../../../transport/egress/egress-selector.js'
import type { Clock } from '../../../util/clock.js'
import type { Logger } from '../../../util/logger.js'
import { type Authenticated, TokenError } from '../authenticator.js'
import { claimedUser } from './claimed-user.js'
import type { CompiledJwt } from './compiled.js'
import { DistributedClaim } from './distributed-claims.js'
import { IssuerClient } from './issuer-client.js'
import { Verifier } from './verifier.js'

/** Counts events of an issuer. */
export interface JwtMetrics {
  authenticated(issuer: string, seconds: number, succeeded: boolean): void
  /** Keys have been fetched; `text` is undefined when that failed. */
  keysFetched(issuer: string, text: string | undefined): void
  issuerRemoved(issuer: string): void
}

export interface IssuerServices {
  readonly signingAlgorithms: readonly string[]
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: JwtMetrics
  readonly egress?: EgressSelector | undefined
}

export class Issuer {
  readonly url: string
  readonly jwt: CompiledJwt
  readonly #services: IssuerServices
  readonly #client: IssuerClient
  readonly #verifier: Verifier
  readonly #groups: DistributedClaim | undefined

  constructor(jwt: CompiledJwt, services: IssuerServices) {
    const { url = '', certificateAuthority, discoveryURL, audiences = [], egressSelectorType } = jwt.config.issuer
    this.url = url
    this.jwt = jwt
    this.#services = services
    const { signingAlgorithms, clock, log, metrics } = services
    const client = new IssuerClient(certificateAuthority || undefined, networkOf(services.egress, egressSelectorType))
    this.#client = client
    const shared = { audiences, signingAlgorithms, client, clock }
    this.#verifier = new Verifier({
      ...shared,
      issuer: url,
      discoveryURL,
      keysFetched: text => metrics.keysFetched(url, text),
      undiscovered: problem => log.error(`oidc authenticator: initializing plugin: ${problem}`)
    })
    const { claim } = jwt.config.claimMappings.groups
    const verifierOf = (issuer: string) =>
      new Verifier({
        ...shared,
        issuer,
        keysFetched() {},
        undiscovered: problem => log.error(`oidc authenticator: async token verifier for issuer: "${issuer}": ${problem}`)
      })
    this.#groups = claim ? new DistributedClaim({ claim, client, verifierOf }) : undefined
  }

  /** Resolves when the issuer has been asked for the first time. */
  start(): Promise<void> {
    return this.#verifier.start()
  }

  stop(): void {
    this.#verifier.stop()
    this.#groups?.stop()
    this.#client.close()
  }

  /** Why the issuer cannot authenticate anybody yet; undefined when it can. */
  get problem(): string | undefined {
    const { problem } = this.#verifier
    return problem === undefined ? undefined : `oidc: authenticator for issuer "${this.url}" is not healthy: ${problem}`
  }

  /** Resolves with the user of a token from this issuer. Rejects with a TokenError. */
  async authenticate(token: string): Promise<Authenticated> {
    const start = performance.now()
    let succeeded = false
    try {
      const user = await this.#authenticate(token)
      succeeded = true
      return { user }
    } finally {
      this.#services.metrics.authenticated(this.url, (performance.now() - start) / 1000, succeeded)
    }
  }

  async #authenticate(token: string) {
    if (!this.#verifier.isReady) throw new TokenError('oidc: authenticator not initialized')
    const claims = await worded('oidc: verify token', this.#verifier.verify(token))
    const groups = this.#groups
    const expanded = groups ? await worded('oidc: could not expand distributed claims', groups.expand(claims)) : claims
    return claimedUser(expanded, this.jwt)
  }
}

async function worded<T>(words: string, result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw error instanceof TokenError ? new TokenError(`${words}: ${error.message}`) : error
  }
}

/** Returns how the issuer is reached; undefined for direct connections. */
const networkOf = ({ cluster, controlplane }: EgressSelector = {}, name?: string): Connect | undefined =>
  name === 'cluster' ? cluster : name === 'controlplane' ? controlplane : undefined
