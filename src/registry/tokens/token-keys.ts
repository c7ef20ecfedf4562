/** The keys that sign and verify service account tokens. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'

/** A public key. */
export interface TokenKey {
  /** The `kid` of the headers of its tokens. */
  readonly id: string
  readonly key: KeyObject
  /** Whether the issuer's published key set contains the key. A key that only verifies old tokens may be left out. */
  readonly isPublished: boolean
}

/** The keys that verify tokens. */
export interface TokenKeys {
  readonly all: readonly TokenKey[]
  /** Grows when the keys change: what an older set of keys has verified does not count any more. */
  readonly generation: number
  /** The seconds for which others may keep the key set. */
  readonly maxAgeSeconds: number
  /** Returns the keys that may have signed a token with this `kid`; all keys for a token without one. */
  find(id: string | undefined): readonly TokenKey[] | Promise<readonly TokenKey[]>
}

export interface TokenSigner {
  /** Returns the signed token with these claims. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>
}

/** Keys that stay the same while the server runs. */
export class StaticTokenKeys implements TokenKeys {
  readonly all: readonly TokenKey[]
  readonly generation = 0
  readonly maxAgeSeconds = 3600
  readonly #byId: ReadonlyMap<string, readonly TokenKey[]>

  constructor(publicKeys: readonly KeyObject[]) {
    this.all = publicKeys.map(key => ({ id: keyId(key), key, isPublished: true }))
    this.#byId = new Map(this.all.map(key => [key.id, [key]]))
  }

  find(id: string | undefined): readonly TokenKey[] {
    return id ? (this.#byId.get(id) ?? []) : this.all
  }
}

/** Signs with a private key of this process. */
export class LocalSigner implements TokenSigner {
  readonly #key: KeyObject
  readonly #header: { readonly alg: string; readonly kid: string }

  constructor(key: KeyObject) {
    this.#key = key
    this.#header = { alg: algorithmOf(key), kid: keyId(key) }
  }

  sign(claims: Readonly<Record<string, unknown>>): Promise<string> {
    return new SignJWT(claims).setProtectedHeader(this.#header).sign(this.#key)
  }
}

/** Returns the id of a key in token headers and in the published key set: its digest. */
export function keyId(key: KeyObject): string {
  const der = (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(der).digest('base64url')
}

export function algorithmOf(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256'
  const curve = key.asymmetricKeyDetails?.namedCurve
  return curve === 'secp384r1' ? 'ES384' : curve === 'secp521r1' ? 'ES512' : 'ES256'
}
