/** Issues the tokens of service accounts (https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/). */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import type { ServiceAccount } from '../../api/generated/core-v1.js'
import type { KubeObject } from '../kube-object.js'
import { type LegacyClaims, legacyIssuer } from './legacy-tokens.js'

/** The objects that a token names besides its account. It ends with the Pod, the Secret or, without a Pod, the Node. */
export interface BoundObjects {
  readonly pod?: KubeObject
  readonly secret?: KubeObject
  readonly node?: KubeObject
}

export interface TokenOptions {
  readonly account: ServiceAccount
  readonly audiences: readonly string[]
  readonly seconds: number
  readonly bound: BoundObjects
  /** Milliseconds. */
  readonly now: number
  /** The token's own id. */
  readonly id: string
}

export class ServiceAccountTokens {
  readonly #issuer: string
  readonly #key: KeyObject
  readonly #keyId: string
  readonly #algorithm: string

  constructor(signingKey: KeyObject, issuer: string) {
    this.#key = signingKey
    this.#issuer = issuer
    this.#keyId = keyId(signingKey)
    this.#algorithm = algorithmOf(signingKey)
  }

  async issue({ account, audiences, seconds, bound, now, id }: TokenOptions): Promise<{ token: string; expires: number }> {
    const { name, namespace, uid } = account.metadata
    const issued = Math.floor(now / 1000)
    const reference = (object: KubeObject | undefined) =>
      object && { name: object.metadata.name, ...(object.metadata.uid ? { uid: object.metadata.uid } : {}) }
    const claims = {
      'kubernetes.io': {
        namespace,
        serviceaccount: { name, uid },
        ...(bound.node ? { node: reference(bound.node) } : {}),
        ...(bound.pod ? { pod: reference(bound.pod) } : {}),
        ...(bound.secret ? { secret: reference(bound.secret) } : {})
      }
    }
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: this.#algorithm, kid: this.#keyId })
      .setIssuer(this.#issuer)
      .setSubject(`system:serviceaccount:${namespace}:${name}`)
      .setAudience([...audiences])
      .setIssuedAt(issued)
      .setNotBefore(issued)
      .setExpirationTime(issued + seconds)
      .setJti(id)
      .sign(this.#key)
    return { token, expires: (issued + seconds) * 1000 }
  }

  /** Issues a token for a Secret, which is valid as long as the Secret exists. */
  issueLegacy(claims: LegacyClaims): Promise<string> {
    const header = { alg: this.#algorithm, kid: this.#keyId }
    return new SignJWT({ ...claims }).setProtectedHeader(header).setIssuer(legacyIssuer).sign(this.#key)
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
