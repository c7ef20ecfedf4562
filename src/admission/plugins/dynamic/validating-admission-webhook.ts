/**
 * ValidatingAdmissionWebhook: asks webhooks that may refuse the request, all at the same time
 * (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/).
 */
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { annotateFailedOpen } from '../../audit-annotations.js'
import { isSame } from '../../matching/rules.js'
import { inVersionOf, type ServedResource } from '../../matching/served-resource.js'
import type { AdmissionWebhooks } from '../../webhook/admission-webhooks.js'
import { ask, type Question } from '../../webhook/call.js'
import type { ConfiguredWebhook } from '../../webhook/configured-webhook.js'
import { conclude } from '../../webhook/outcome.js'
import { relevantAs } from '../../webhook/relevance.js'
import type { ShownObjects } from '../../webhook/review.js'

export const validatingAdmissionWebhook = (all: AdmissionWebhooks): BuiltinPlugin => ({
  name: 'ValidatingAdmissionWebhook',
  subresources: '*',
  validate(attributes) {
    const webhooks = all.validating.about(attributes)
    return webhooks.length === 0 ? undefined : validate(attributes, all, webhooks)
  }
})

/** Waits for all webhooks, and throws the first refusal. */
async function validate(
  attributes: AdmissionAttributes,
  { clients, metrics, admissionMetrics }: AdmissionWebhooks,
  webhooks: readonly ConfiguredWebhook[]
): Promise<void> {
  const show = shownOnce(attributes)
  const questions: Question[] = []
  for (const webhook of webhooks) {
    const matched = await relevantAs(webhook, attributes, show, { metrics: admissionMetrics, type: 'validating' })
    if (matched) questions.push({ webhook, matched, shown: await show(matched), mutating: false })
  }
  const errors: unknown[] = []
  await Promise.all(
    questions.map(async (question, index) => {
      try {
        const { webhook } = question
        const isCalled = await conclude(attributes, metrics, webhook, 'validating', () =>
          ask(attributes, clients.validating, question)
        )
        if (!isCalled) annotateFailedOpen(attributes.context.origin.record, { webhook: webhook.hook.name, index })
      } catch (error) {
        errors.push(error)
      }
    })
  )
  if (errors.length > 0) throw errors[0]
}

/** Converts the objects once per version, because validating webhooks do not change them. */
function shownOnce(attributes: AdmissionAttributes): (target: ServedResource) => Promise<ShownObjects> {
  const known: { readonly target: ServedResource; readonly objects: Promise<ShownObjects> }[] = []
  return target => {
    const found = known.find(k => isSame(k.target, target))
    if (found) return found.objects
    const objects = inVersionOf(attributes, target, 'validate')
    known.push({ target, objects })
    return objects
  }
}
