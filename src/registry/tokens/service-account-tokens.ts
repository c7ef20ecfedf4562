/** Issues the tokens of service accounts (https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/). */
import type { ServiceAccount } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { type LegacyClaims, legacyIssuer } from './legacy-tokens.js'
import type { TokenSigner } from './token-keys.js'

/** The claim that names the API groups about which the bearer of a token may ask admission webhooks. */
export const attestedGroups = 'admissionReviewAPIGroups'

/** The objects to which a token is bound. It ends with the Pod, with the Secret, with the webhooks or, without a Pod, with the Node. */
export interface BoundObjects {
  readonly pod?: KubeObject
  readonly secret?: KubeObject
  readonly node?: KubeObject
  /** A configuration of webhooks, of a kind that is given in lower case. */
  readonly webhooks?: KubeObject
  readonly webhooksKind?: string
}

export interface TokenOptions {
  readonly account: ServiceAccount
  readonly audiences: readonly string[]
  readonly seconds: number
  /** Seconds after which the use of the token is recorded in the audit log; undefined for never. */
  readonly warnAfter?: number | undefined
  readonly bound: BoundObjects
  /** What the server attests, as claims of the token. */
  readonly attestations?: Readonly<Record<string, readonly string[]>> | undefined
  /** Milliseconds. */
  readonly now: number
  /** The token's own id. */
  readonly id: string
}

/** How long tokens may be valid. */
export interface TokenLifetimes {
  /** The most seconds that a token is valid; 0 for no limit. */
  readonly maxSeconds: number
  /** For how many seconds tokens of Pods are valid that ask for `extensibleSeconds`; 0 when they are not extended. */
  readonly extendedSeconds: number
}

/** The time for which kubelets ask; it marks the tokens of Pods whose time is extended. */
export const extensibleSeconds = 60 * 60 + 7
/** The usual extended time of a Pod's token, for programs that do not read their token again (KEP-1205). */
export const extendedSeconds = 365 * 24 * 60 * 60

export class ServiceAccountTokens {
  readonly lifetimes: TokenLifetimes
  readonly #issuer: string
  readonly #signer: TokenSigner

  constructor(signer: TokenSigner, issuer: string, lifetimes: TokenLifetimes) {
    this.lifetimes = lifetimes
    this.#issuer = issuer
    this.#signer = signer
  }

  /** Returns the token. */
  async issue({ account, audiences, seconds, warnAfter, bound, attestations, now, id }: TokenOptions): Promise<string> {
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
        ...(bound.webhooks ? { [bound.webhooksKind!]: reference(bound.webhooks) } : {}),
        ...(attestations && Object.keys(attestations).length > 0 ? { attestations } : {}),
        ...(warnAfter ? { warnafter: issued + warnAfter } : {})
      }
    }
    return this.#signer.sign({
      ...claims,
      iss: this.#issuer,
      sub: `system:serviceaccount:${namespace}:${name}`,
      aud: [...audiences],
      iat: issued,
      nbf: issued,
      exp: issued + seconds,
      jti: id
    })
  }

  /** Issues a token for a Secret, which is valid as long as the Secret exists. */
  issueLegacy(claims: LegacyClaims): Promise<string> {
    return this.#signer.sign({ ...claims, iss: legacyIssuer })
  }
}
