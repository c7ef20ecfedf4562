/** SubjectAccessReviews as they travel to a webhook and back, in v1 and v1beta1. */
import { ConfigError, type ConfigKind, readConfigLeniently } from '../../../apimachinery/config/read-config.js'
import { bool, string, struct, typeMeta } from '../../../apimachinery/config/types.js'
import type { Decision } from '../../../apimachinery/request/authorization.js'
import { WebhookCallError } from '../../../transport/webhooks/exchange.js'
import type { ReviewSpec } from './review-spec.js'

export type ReviewVersion = 'v1' | 'v1beta1'

export const reviewVersions: readonly string[] = ['v1', 'v1beta1'] satisfies ReviewVersion[]

const group = 'authorization.k8s.io'
const kind = 'SubjectAccessReview'

/** Returns the body of a review. v1beta1 calls the groups of the user `group`. */
export function reviewBody({ groups, extra, uid, ...rest }: ReviewSpec, version: ReviewVersion): object {
  const spec = { ...rest, ...(version === 'v1' ? { groups } : { group: groups }), extra, uid }
  return { kind, apiVersion: `${group}/${version}`, metadata: {}, spec, status: { allowed: false } }
}

function typeOf(version: ReviewVersion) {
  const texts = { reason: string, evaluationError: string }
  const status = struct(`${version}.SubjectAccessReviewStatus`, { allowed: bool, denied: bool, ...texts })
  return struct(`${version}.SubjectAccessReview`, { ...typeMeta, status })
}

const types: ConfigKind = {
  kind,
  versions: { [`${group}/v1`]: typeOf('v1'), [`${group}/v1beta1`]: typeOf('v1beta1') }
}

export interface ReviewStatus {
  readonly allowed?: boolean
  readonly denied?: boolean
  readonly reason?: string
}

/** Returns the status of a webhook's answer. Throws a WebhookCallError. */
export function readStatus(text: string, version: ReviewVersion): ReviewStatus {
  const expected = `${group}/${version}`
  try {
    const { apiVersion, object } = readConfigLeniently(text, { ...types, assumed: expected })
    if (apiVersion === expected) return object.status
    const given = apiVersion.slice(group.length + 1)
    throw new WebhookCallError(`converting (${given}.${kind}) to (${version}.${kind}): unknown conversion`)
  } catch (error) {
    throw error instanceof ConfigError ? new WebhookCallError(error.message) : error
  }
}

export function decisionOf({ allowed = false, denied = false, reason = '' }: ReviewStatus): Decision {
  if (!denied) return { allowed, reason }
  const both = 'webhook subject access review returned both allow and deny response'
  return { allowed: false, denied, reason, ...(allowed ? { error: both } : {}) }
}
