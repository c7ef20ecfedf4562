/** The signature of JSON Web Tokens, checked once for each token. */
import { createHash, type KeyObject } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose'
import { algorithmOf, keyId } from '../registry/service-account-tokens.js'
import { TokenError } from './authenticator.js'

/** Tokens whose signature is remembered. */
const remembered = 2000
/** Longer than any token of a service account. */
const longest = 64 * 1024

export class SignedTokens {
  readonly #keys: ReadonlyMap<string, KeyObject>
  /** By digest, so that tokens do not lie about; the least recently used first. */
  readonly #known = new Map<string, JWTPayload>()

  constructor(publicKeys: readonly KeyObject[]) {
    this.#keys = new Map(publicKeys.map(key => [keyId(key), key]))
  }

  /** What a token claims to be from, not verified; undefined when it is no such token. */
  static issuerOf(token: string): string | undefined {
    if (token.length > longest) return undefined
    try {
      return decodeJwt(token).iss
    } catch {
      return undefined
    }
  }

  /** The claims of a token with a good signature. Throws a TokenError for others. */
  async verify(token: string): Promise<JWTPayload> {
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

  async #verify(token: string): Promise<JWTPayload> {
    let id: string | undefined
    try {
      id = decodeProtectedHeader(token).kid
    } catch {
      throw new TokenError('invalid signature')
    }
    const named = id === undefined ? undefined : this.#keys.get(id)
    for (const key of named ? [named] : this.#keys.values()) {
      try {
        const { payload } = await compactVerify(token, key, { algorithms: [algorithmOf(key)] })
        return JSON.parse(new TextDecoder().decode(payload))
      } catch {
        // perhaps the next one
      }
    }
    throw new TokenError('invalid signature')
  }
}
