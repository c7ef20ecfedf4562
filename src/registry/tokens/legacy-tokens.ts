/** Tokens in Secrets, which are older than tokens that are bound and expire (https://kubernetes.io/docs/concepts/configuration/secret/#serviceaccount-token-secrets). */
import type { Secret } from '../../apimachinery/api/generated/core-v1.js'

const tokenSecretType = 'kubernetes.io/service-account-token'
export const legacyIssuer = 'kubernetes/serviceaccount'
const accountName = 'kubernetes.io/service-account.name'
const accountUid = 'kubernetes.io/service-account.uid'
export const lastUsedLabel = 'kubernetes.io/legacy-token-last-used'
export const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since'

/** The ConfigMap whose `since` is the day from which on the use of tokens is recorded. */
export const tokenTrackingNamespace = 'kube-system'
export const tokenTracking = 'kube-apiserver-legacy-service-account-token-tracking'

/** Returns the account whose token a Secret holds; undefined for Secrets of other types. */
export function accountOf({ type, metadata }: Secret): { name: string; uid: string | undefined } | undefined {
  const name = metadata.annotations?.[accountName]
  return type === tokenSecretType && name ? { name, uid: metadata.annotations?.[accountUid] || undefined } : undefined
}

export const accountAnnotations = (name: string, uid: string) => ({ [accountName]: name, [accountUid]: uid })

/** The claims of a token in a Secret, which never expires. */
export interface LegacyClaims {
  readonly sub: string
  readonly 'kubernetes.io/serviceaccount/namespace': string
  readonly 'kubernetes.io/serviceaccount/secret.name': string
  readonly 'kubernetes.io/serviceaccount/service-account.name': string
  readonly 'kubernetes.io/serviceaccount/service-account.uid': string
}

export const legacyClaims = (namespace: string, secret: string, account: string, uid: string): LegacyClaims => ({
  sub: `system:serviceaccount:${namespace}:${account}`,
  'kubernetes.io/serviceaccount/namespace': namespace,
  'kubernetes.io/serviceaccount/secret.name': secret,
  'kubernetes.io/serviceaccount/service-account.name': account,
  'kubernetes.io/serviceaccount/service-account.uid': uid
})
