/** Verifies the signatures of JSON Web Tokens, once for each token. */
import { hash, type KeyObject } from 'node:crypto'
import { compactVerify, decodeJwt, decodeProtectedHeader } from 'jose'
import { algorithmOf, type TokenKeys } from '../../registry/tokens/token-keys.js'
import { TokenError } from './authenticator.js'
import { type Claims, readClaims } from './token-claims.js'

/** Tokens with more characters are refused; no token of a service account is that long. */
const longest = 64 * 1024

/** Three parts in base64url. */
const compactForm = /^[\w-]+\.[\w-]*\.[\w-]*$/

export class SignedTokens {
  readonly #keys: TokenKeys
  /** The claims by the tokens' digests, so that no token stays in memory; the least recently used stand first. */
  readonly #known = new Map<string, Claims>()
  /** The generation of the keys that verified them. */
  #generation = 0
  readonly #remembered: number

  /** `remembered` is how many verified tokens are kept. */
  constructor(keys: TokenKeys, remembered = 2000) {
    this.#keys = keys
    this.#remembered = remembered
  }

  /** Returns the issuer that a token claims, which is not verified; undefined for other kinds of tokens. */
  static issuerOf(token: string): string | undefined {
    if (token.length > longest) return undefined
    try {
      return decodeJwt(token).iss
    } catch {
      return undefined
    }
  }

  /** Returns the claims of a token; undefined for what is no token. Throws a TokenError for a wrong signature or malformed claims. */
  async verify(token: string): Promise<Claims | undefined> {
    if (this.#generation !== this.#keys.generation) {
      this.#generation = this.#keys.generation
      this.#known.clear()
    }
    const digest = hash('sha256', token, 'base64')
    const known = this.#known.get(digest)
    if (known) {
      this.#known.delete(digest)
      this.#known.set(digest, known)
      return known
    }
    const { generation } = this.#keys
    const claims = await this.#verify(token)
    if (!claims) return undefined
    if (generation === this.#keys.generation) this.#known.set(digest, claims)
    if (this.#known.size > this.#remembered) this.#known.delete(this.#known.keys().next().value!)
    return claims
  }

  async #verify(token: string): Promise<Claims | undefined> {
    if (!compactForm.test(token)) return undefined
    let id: string | undefined
    try {
      id = decodeProtectedHeader(token).kid
    } catch {
      return undefined
    }
    const keys = await this.#keys.find(id)
    if (keys.length === 0) throw new TokenError('invalid signature, no keys found')
    for (const { key } of keys) {
      const payload = await signedPayload(token, key)
      if (payload) return readClaims(payload.json)
    }
    throw new TokenError('go-jose/go-jose: error in cryptographic primitive')
  }
}

/** Returns undefined when another key signed the token, or when the payload is not JSON. */
async function signedPayload(token: string, key: KeyObject): Promise<{ json: unknown } | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithmOf(key)] })
    return { json: JSON.parse(new TextDecoder().decode(payload)) }
  } catch {
    return undefined
  }
}
