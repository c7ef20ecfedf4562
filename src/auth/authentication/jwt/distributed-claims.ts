/**
 * Fetches a claim that stands elsewhere: `_claim_names` names its source, `_claim_sources` says where that is
 * (https://openid.net/specs/openid-connect-core-1_0.html#AggregatedDistributedClaims).
 */
import { getKey, type JsonObject, own, setKey } from '../../../util/json.js'
import { TokenError } from '../authenticator.js'
import { claimedIssuer } from './compact-jws.js'
import { goField, goObject, goText } from './go-json.js'
import { FetchError, type IssuerClient } from './issuer-client.js'
import type { Verifier } from './verifier.js'

/** How many issuers of distributed claims are followed at the same time. kube-apiserver has no such limit. */
const maxVerifiers = 64

export interface DistributedClaimOptions {
  readonly claim: string
  readonly client: IssuerClient
  /** Makes the verifier for an issuer, with the audiences and algorithms of the token that refers to it. */
  verifierOf(issuer: string): Verifier
}

export class DistributedClaim {
  readonly #options: DistributedClaimOptions
  /** The verifiers by issuer; the least recently used stands first. */
  readonly #verifiers = new Map<string, Verifier>()

  constructor(options: DistributedClaimOptions) {
    this.#options = options
  }

  stop(): void {
    for (const verifier of this.#verifiers.values()) verifier.stop()
    this.#verifiers.clear()
  }

  /** Returns the claims, with the distributed one added if the token refers to one. Rejects with a TokenError. */
  async expand(claims: JsonObject): Promise<JsonObject> {
    const { claim } = this.#options
    if (getKey(claims, claim) !== undefined) return claims
    const source = sourceOf(claims, claim)
    if (!source || source.url === '') return claims
    const value = await this.#fetch(source)
    const expanded = { ...claims }
    setKey(expanded, claim, value)
    return expanded
  }

  async #fetch({ url, token }: Source): Promise<unknown> {
    const { claim } = this.#options
    const jwt = await this.#fetchToken(url, token)
    const issuer = claimedIssuer(jwt)
    if (issuer === undefined)
      throw new TokenError(`getting untrusted issuer from endpoint ${url} failed for claim "${claim}": malformed token`)
    const verifier = this.#verifierOf(issuer)
    if (!verifier.isReady)
      throw new TokenError(`verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: "${issuer}"`)
    const found = getKey(await this.#verify(verifier, jwt), claim)
    if (found !== undefined) return found
    throw new TokenError(`jwt returned by distributed claim endpoint "${url}" did not contain claim: ${claim}`)
  }

  async #fetchToken(url: string, token: string): Promise<string> {
    const wrong = (why: string) => new TokenError(`while getting distributed claim "${this.#options.claim}": ${why}`)
    try {
      const { status, statusLine, text } = await this.#options.client.get(url, token)
      if (status >= 200 && status <= 226) return text
      throw wrong(`error while getting distributed claim JWT: ${statusLine}`)
    } catch (error) {
      throw error instanceof FetchError ? wrong(error.message) : error
    }
  }

  async #verify(verifier: Verifier, jwt: string): Promise<JsonObject> {
    try {
      return await verifier.verify(jwt)
    } catch (error) {
      throw error instanceof TokenError ? new TokenError(`verify distributed claim token: ${error.message}`) : error
    }
  }

  /** Returns the verifier of an issuer, which is not ready yet when the issuer is new. */
  #verifierOf(issuer: string): Verifier {
    let verifier = this.#verifiers.get(issuer)
    this.#verifiers.delete(issuer)
    if (!verifier) {
      verifier = this.#options.verifierOf(issuer)
      void verifier.start()
    }
    this.#verifiers.set(issuer, verifier)
    if (this.#verifiers.size > maxVerifiers) this.#forgetOldest()
    return verifier
  }

  #forgetOldest(): void {
    const [issuer, verifier] = this.#verifiers.entries().next().value!
    verifier.stop()
    this.#verifiers.delete(issuer)
  }
}

interface Source {
  readonly url: string
  readonly token: string
}

function sourceOf(claims: JsonObject, claim: string): Source | undefined {
  const given = getKey(claims, '_claim_names')
  if (given === undefined) return undefined
  const names = goObject(given, 'Go value', 'map[string]string')
  if (getKey(claims, '_claim_sources') === undefined) throw new TokenError('oidc: no claim sources')
  const sources = goObject(getKey(claims, '_claim_sources'), 'Go value', 'map[string]oidc.endpoint')
  if (!Object.hasOwn(names, claim)) return undefined
  const name = goText(names[claim])
  const source = own(sources, name)
  if (source === undefined) throw new TokenError(`id token _claim_names contained a source ${name} missing in _claims_sources`)
  const fields = goObject(source, 'Go value', 'oidc.endpoint')
  return { url: goText(goField(fields, 'endpoint')), token: goText(goField(fields, 'access_token')) }
}
