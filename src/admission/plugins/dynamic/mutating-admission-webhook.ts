/**
 * MutatingAdmissionWebhook: asks webhooks that may change the object, one after the other
 * (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/).
 */
import { cloneJson, equalJson } from '../../../util/json.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { annotateFailedOpen, annotateMutation, annotatePatch, type MutatingCall } from '../../audit-annotations.js'
import { inVersionOf } from '../../matching/served-resource.js'
import { Reinvocation } from '../../reinvocation.js'
import type { AdmissionWebhooks } from '../../webhook/admission-webhooks.js'
import { ask } from '../../webhook/call.js'
import type { ConfiguredWebhook } from '../../webhook/configured-webhook.js'
import { conclude } from '../../webhook/outcome.js'
import { applyPatch } from '../../webhook/patch.js'
import { relevantAs } from '../../webhook/relevance.js'

const name = 'MutatingAdmissionWebhook'

export const mutatingAdmissionWebhook = (all: AdmissionWebhooks): BuiltinPlugin => ({
  name,
  subresources: '*',
  admit(attributes) {
    const webhooks = all.mutating.about(attributes)
    return webhooks.length === 0 ? undefined : mutate(attributes, all, webhooks)
  }
})

async function mutate(
  attributes: AdmissionAttributes,
  all: AdmissionWebhooks,
  webhooks: readonly ConfiguredWebhook[]
): Promise<void> {
  attributes.reinvocation ??= new Reinvocation()
  const { reinvocation } = attributes
  const rounds = reinvocation.roundsOf(name)
  // another plugin has changed the object since
  if (reinvocation.isReinvoke && !equalJson(rounds.output, attributes.object)) rounds.changed()
  const conditions = { metrics: all.admissionMetrics, type: 'admit' } as const
  for (const webhook of webhooks) {
    const matched = await relevantAs(webhook, attributes, target => inVersionOf(attributes, target), conditions)
    if (!matched || (reinvocation.isReinvoke && !rounds.toAskAgain.has(webhook.uid))) continue
    const shown = await inVersionOf(attributes, matched)
    const { hook, configuration, place } = webhook
    const call: MutatingCall = { configuration, webhook: hook.name, round: reinvocation.isReinvoke ? 1 : 0, index: place }
    const { record } = attributes.context.origin
    let changed = false
    try {
      const isCalled = await conclude(attributes, all.metrics, webhook, 'admit', async () => {
        const answer = await ask(attributes, all.clients.mutating, { webhook, matched, shown, mutating: true })
        const applied = (operations: unknown) => annotatePatch(record, call, operations)
        changed = await applyPatch(attributes, hook.name, answer, matched, shown.object, applied)
      })
      if (!isCalled) annotateFailedOpen(record, call)
    } finally {
      annotateMutation(record, call, changed)
    }
    if (changed) {
      rounds.changed()
      reinvocation.shouldReinvoke = true
    }
    if ('reinvocationPolicy' in hook && hook.reinvocationPolicy === 'IfNeeded') rounds.asked.add(webhook.uid)
  }
  if (rounds.asked.size > 0) rounds.output = cloneJson(attributes.object)
}
