/** Decides whether a webhook is called for a request. */
import { jsonValue } from '../../apimachinery/cel/values/json.js'
import { forbidden } from '../../apimachinery/status/status.js'
import type { AdmissionAttributes } from '../admission.js'
import type { AdmissionMetrics } from '../admission-metrics.js'
import { requestValue } from '../matching/activation.js'
import { authorizersFor } from '../matching/authorizers.js'
import { requestedResource } from '../matching/rules.js'
import type { ServedResource } from '../matching/served-resource.js'
import type { ConfiguredWebhook } from './configured-webhook.js'
import type { ShownObjects } from './review.js'
import type { WebhookType } from './webhook-metrics.js'

/** Converts the objects of the request to a version. */
export type Show = (target: ServedResource) => Promise<ShownObjects>

/** Returns the resource that the webhook's rules match, or undefined when the webhook is not called. Throws a StatusError. */
export async function relevantAs(
  { hook, matcher, conditions }: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  show: Show,
  { metrics, type }: { readonly metrics: AdmissionMetrics; readonly type: WebhookType }
): Promise<ServedResource | undefined> {
  const matched = hook.rules?.length ? matcher.match(attributes) : undefined
  if (!matched || !hook.matchConditions?.length) return matched
  const { object, oldObject } = await show(matched)
  const values = {
    object: jsonValue(object),
    oldObject: jsonValue(oldObject),
    request: requestValue(attributes, requestedResource(attributes), matched),
    authorizers: authorizersFor(attributes)
  }
  const began = performance.now()
  const met = await conditions.met(values)
  metrics.conditionsEvaluated({ name: hook.name, kind: 'webhook', type }, attributes.operation, began, met)
  if (typeof met === 'boolean') return met ? matched : undefined
  throw forbidden(attributes.resource.groupResource, attributes.name, met.error)
}
