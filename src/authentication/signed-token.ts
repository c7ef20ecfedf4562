/** The signature of JSON Web Tokens, checked once for each token. */
import { createHash, type KeyObject } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose'
import { algorithmOf, keyId } from '../registry/tokens/service-account-tokens.js'
import { TokenError } from './authenticator.js'
import { type Claims, readClaims } from './token-claims.js'

/** Tokens whose signature is remembered. */
const remembered = 2000
/** Longer than any token of a service account. */
const longest = 64 * 1024

export class SignedTokens {
  readonly #keys: ReadonlyMap<string, KeyObject>
  /** By digest, so that tokens do not lie about; the least recently used first. */
  readonly #known = new Map<string, Claims>()

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

  /** The claims of a token with a good signature. Throws a TokenError for others, and for claims that cannot be. */
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

/** undefined when the key is another, or the payload no JSON. */
async function signedPayload(token: string, key: KeyObject): Promise<{ json: unknown } | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithmOf(key)] })
    return { json: JSON.parse(new TextDecoder().decode(payload)) }
  } catch {
    return undefined
  }
}
