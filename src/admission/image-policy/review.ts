/** ImageReviews of imagepolicy.k8s.io/v1alpha1, as they travel to a webhook and back. */
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import { ConfigError, type ConfigKind, readConfigLeniently } from '../../apimachinery/config/read-config.js'
import { bool, map, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { WebhookCallError } from '../../transport/webhooks/exchange.js'
import { sortedKeys } from '../../util/go-format.js'

export interface ImageReviewSpec {
  readonly containers?: readonly { readonly image?: string }[]
  readonly annotations?: Readonly<Record<string, string>>
  readonly namespace?: string
}

export interface ImageReviewStatus {
  readonly allowed?: boolean
  readonly reason?: string
  readonly auditAnnotations?: Readonly<Record<string, string>>
}

const version = 'imagepolicy.k8s.io/v1alpha1'
const kind: ConfigKind = {
  kind: 'ImageReview',
  versions: {
    [version]: struct('v1alpha1.ImageReview', {
      ...typeMeta,
      status: struct('v1alpha1.ImageReviewStatus', { allowed: bool, reason: string, auditAnnotations: map(string) })
    })
  },
  assumed: version
}

/** Returns what the webhook is told about a Pod, or about its ephemeral containers. */
export function reviewSpec({ metadata, spec }: Pod, namespace: string, ephemeral: boolean): ImageReviewSpec {
  const containers = ephemeral ? (spec.ephemeralContainers ?? []) : [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
  const { annotations = {} } = metadata
  const shown = sortedKeys(annotations).filter(key => key.includes('.image-policy.k8s.io/'))
  return {
    ...(containers.length > 0 ? { containers: containers.map(({ image }) => (image ? { image } : {})) } : {}),
    ...(shown.length > 0 ? { annotations: Object.fromEntries(shown.map(key => [key, annotations[key]!])) } : {}),
    ...(namespace === '' ? {} : { namespace })
  }
}

export const reviewBody = (spec: ImageReviewSpec): object => ({
  kind: kind.kind,
  apiVersion: version,
  metadata: {},
  spec,
  status: { allowed: false }
})

/** Throws a WebhookCallError for an answer that is no ImageReview. */
export function readStatus(text: string): ImageReviewStatus {
  try {
    return readConfigLeniently(text, kind).object.status
  } catch (error) {
    throw error instanceof ConfigError ? new WebhookCallError(error.message) : error
  }
}
