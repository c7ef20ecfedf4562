/**
 * MutatingAdmissionWebhook: asks webhooks that may change the object, one after the other
 * (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/).
 */
import { internalError } from '../../../apimachinery/status/status.js'
import { cloneJson, equalJson } from '../../../util/json.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { annotateFailedOpen, annotateMutation, annotatePatch, type MutatingCall } from '../../audit-annotations.js'
import { inVersionOf } from '../../matching/served-resource.js'
import { Reinvocation } from '../../reinvocation.js'
import type { AdmissionWebhooks } from '../../webhook/admission-webhooks.js'
import { ask } from '../../webhook/call.js'
import type { ConfiguredWebhook } from '../../webhook/configured-webhook.js'
import { conclude } from '../../webhook/outcome.js'
import { applyPatch, type Misfit } from '../../webhook/patch.js'
import { relevantAs, type Show } from '../../webhook/relevance.js'

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
  let misfit: Misfit | undefined
  const show: Show = async target => {
    if (!misfit) return inVersionOf(attributes, target, 'admit')
    // of another version: the object has to be converted to that first
    if (target.resource !== misfit.target.resource || target.version !== misfit.target.version)
      throw internalError(misfit.error.message)
    return { ...(await inVersionOf(attributes, target, 'admit')), object: misfit.object }
  }
  for (const webhook of webhooks) {
    const matched = await relevantAs(webhook, attributes, show, conditions)
    if (!matched || (reinvocation.isReinvoke && !rounds.toAskAgain.has(webhook.uid))) continue
    const shown = await show(matched)
    const { hook, configuration, place } = webhook
    const call: MutatingCall = { configuration, webhook: hook.name, round: reinvocation.isReinvoke ? 1 : 0, index: place }
    const { record } = attributes.context.origin
    let changed = false
    try {
      const isCalled = await conclude(attributes, all.metrics, webhook, 'admit', async () => {
        const answer = await ask(attributes, all.clients.mutating, { webhook, matched, shown, mutating: true })
        const applied = (operations: unknown) => annotatePatch(record, call, operations)
        const patched = await applyPatch(attributes, hook.name, answer, matched, shown.object, applied)
        changed = patched.changed
        if (changed) misfit = patched.misfit
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
  if (misfit) throw misfit.error
  if (rounds.asked.size > 0) rounds.output = cloneJson(attributes.object)
}
