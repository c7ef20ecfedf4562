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
  /** Seconds after which the use of the token is noted in the audit log; undefined for never. */
  readonly warnAfter?: number | undefined
  readonly bound: BoundObjects
  /** Milliseconds. */
  readonly now: number
  /** The token's own id. */
  readonly id: string
}

/** How long tokens may be valid. */
export interface TokenLifetimes {
  /** The most seconds that a token is valid; 0 for no limit. */
  readonly maxSeconds: number
  /** Whether the tokens of Pods are valid for a year: see extendedSeconds. */
  readonly extend: boolean
}

/** The time that kubelets ask for; it marks the tokens of Pods whose time is extended. */
export const extensibleSeconds = 60 * 60 + 7
/** The extended time of a Pod's token, for programs that do not read their token again (KEP-1205). */
export const extendedSeconds = 365 * 24 * 60 * 60

export class ServiceAccountTokens {
  readonly lifetimes: TokenLifetimes
  readonly #issuer: string
  readonly #key: KeyObject
  readonly #keyId: string
  readonly #algorithm: string

  constructor(signingKey: KeyObject, issuer: string, lifetimes: TokenLifetimes) {
    this.lifetimes = lifetimes
    this.#key = signingKey
    this.#issuer = issuer
    this.#keyId = keyId(signingKey)
    this.#algorithm = algorithmOf(signingKey)
  }

  /** Returns the token. */
  async issue({ account, audiences, seconds, warnAfter, bound, now, id }: TokenOptions): Promise<string> {
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
        ...(bound.secret ? { secret: reference(bound.secret) } : {}),
        ...(warnAfter ? { warnafter: issued + warnAfter } : {})
      }
    }
    return new SignJWT(claims)
      .setProtectedHeader({ alg: this.#algorithm, kid: this.#keyId })
      .setIssuer(this.#issuer)
      .setSubject(`system:serviceaccount:${namespace}:${name}`)
      .setAudience([...audiences])
      .setIssuedAt(issued)
      .setNotBefore(issued)
      .setExpirationTime(issued + seconds)
      .setJti(id)
      .sign(this.#key)
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
