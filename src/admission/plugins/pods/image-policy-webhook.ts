import { forbidden, StatusError } from '../../../apimachinery/status/status.js'
import { WebhookCallError } from '../../../transport/webhooks/exchange.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { annotate } from '../../audit-annotations.js'
import type { ImagePolicy } from '../../image-policy/image-policy.js'
import { type ImageReviewStatus, reviewSpec } from '../../image-policy/review.js'
import { nameInErrors } from '../../name-in-errors.js'

const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/'

/** Asks a webhook whether the images of a Pod may run (https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#imagepolicywebhook). */
export const imagePolicyWebhook = (policy: ImagePolicy): BuiltinPlugin => ({
  name: 'ImagePolicyWebhook',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  subresources: ['', 'ephemeralcontainers'],
  async validate(attributes) {
    const { object, namespace, subresource, context } = attributes
    const { record, signal } = context.origin
    let status: ImageReviewStatus
    try {
      status = await policy.review(reviewSpec(object, namespace, subresource !== ''), signal)
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error
      if (!policy.defaultAllow) throw error.code === 403 ? passedOn(error) : refuse(attributes, error.message)
      annotate(record, `${auditPrefix}failed-open`, 'true')
      return
    }
    for (const [key, value] of Object.entries(status.auditAnnotations ?? {})) annotate(record, auditPrefix + key, value)
    if (status.allowed) return
    throw refuse(
      attributes,
      status.reason
        ? `image policy webhook backend denied one or more images: ${status.reason}`
        : 'one or more images rejected by webhook backend'
    )
  }
})

const refuse = (attributes: AdmissionAttributes, why: string) =>
  forbidden(attributes.resource.groupResource, nameInErrors(attributes), why)

/** Returns the webhook's own 403, if it sent one: kube-apiserver passes that on. */
const passedOn = ({ message }: WebhookCallError) =>
  new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    details: { causes: [{ reason: 'UnexpectedServerResponse', message }] },
    code: 403
  })
