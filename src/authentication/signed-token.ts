/** Verifies the signatures of JSON Web Tokens, once for each token. */
import { createHash, type KeyObject } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose'
import { algorithmOf, keyId } from '../registry/tokens/service-account-tokens.js'
import { TokenError } from './authenticator.js'
import { type Claims, readClaims } from './token-claims.js'

/** How many verified tokens are remembered. */
const remembered = 2000
/** In characters: longer than any token of a service account. */
const longest = 64 * 1024

export class SignedTokens {
  readonly #keys: ReadonlyMap<string, KeyObject>
  /** Claims by digest, so that no token stays in memory; the least recently used first. */
  readonly #known = new Map<string, Claims>()

  constructor(publicKeys: readonly KeyObject[]) {
    this.#keys = new Map(publicKeys.map(key => [keyId(key), key]))
  }

  /** Returns the issuer that a token claims, unverified; undefined for other kinds of tokens. */
  static issuerOf(token: string): string | undefined {
    if (token.length > longest) return undefined
    try {
      return decodeJwt(token).iss
    } catch {
      return undefined
    }
  }

  /** Returns the claims of a token. Throws a TokenError for a wrong signature or malformed claims. */
  async verify(token: string): Promise<Claims> {
    const digest = createHash('sha256').update(token).digest('base64')
    const known = this.#known.get(digest)
    if (known) {
      this.#known.delete(digest)
      this.#known.set(digest, known)
      return known
    }
    const claims = await this.#verify(token)
    this.#known.set(digest, claims)
    if (this.#known.size > remembered) this.#known.delete(this.#known.keys().next().value!)
    return claims
  }

  async #verify(token: string): Promise<Claims> {
    let id: string | undefined
    try {
      id = decodeProtectedHeader(token).kid
    } catch {
      throw new TokenError('invalid signature')
    }
    const named = id === undefined ? undefined : this.#keys.get(id)
    for (const key of named ? [named] : this.#keys.values()) {
      const payload = await signedPayload(token, key)
      if (payload) return readClaims(payload.json)
    }
    throw new TokenError('invalid signature')
  }
}

/** Returns undefined when another key signed the token, or the payload is not JSON. */
async function signedPayload(token: string, key: KeyObject): Promise<{ json: unknown } | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithmOf(key)] })
    return { json: JSON.parse(new TextDecoder().decode(payload)) }
  } catch {
    return undefined
  }
}
