/** Bootstrap tokens: Secrets with which new nodes join (https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/). */
import type { Secret } from '../../apimachinery/api/generated/core-v1.js'
import { parseTimestamp } from '../../apimachinery/cel/values/text.js'

export const tokenNamespace = 'kube-system'
export const tokenPrefix = 'bootstrap-token-'
export const tokenType = 'bootstrap.kubernetes.io/token'

export type BootstrapUsage = 'authentication' | 'signing'

/** Returns the text under a key of a Secret, or '' when the key is missing. */
export function tokenData({ data }: Secret, key: string): string {
  return data && Object.hasOwn(data, key) ? Buffer.from(data[key]!, 'base64').toString() : ''
}

export const isUsableFor = (secret: Secret, usage: BootstrapUsage): boolean =>
  tokenData(secret, `usage-bootstrap-${usage}`) === 'true'

/** Returns the milliseconds until a token expires: Infinity for a token without expiry, 0 after it or when it cannot be read. */
export function remainingMs(secret: Secret, now: number): number {
  const expiration = tokenData(secret, 'expiration')
  if (expiration === '') return Number.POSITIVE_INFINITY
  const time = parseTimestamp(expiration)
  return time === undefined ? 0 : Math.max(0, Number(time.nanos) / 1e6 - now)
}
