/**
 * MutatingAdmissionWebhook: asks webhooks that may change the object, one after the other
 * (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/).
 */

import type { ManagedFieldsEntry } from '../../../apimachinery/api/generated/meta-v1.js'
import { internalError, StatusError } from '../../../apimachinery/status/status.js'
import { cloneJson, equalJson } from '../../../util/json.js'
import { timestamp } from '../../../util/time.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import { annotateFailedOpen, annotateMutation, annotatePatch, type MutatingCall } from '../../audit-annotations.js'
import { isSame } from '../../matching/rules.js'
import { inVersionOf, isScale, isUnstructured } from '../../matching/served-resource.js'
import { Reinvocation } from '../../reinvocation.js'
import type { AdmissionWebhooks } from '../../webhook/admission-webhooks.js'
import { ask } from '../../webhook/call.js'
import type { ConfiguredWebhook } from '../../webhook/configured-webhook.js'
import { conclude } from '../../webhook/outcome.js'
import { applyPatch, type Held } from '../../webhook/patch.js'
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
  let held: Held | undefined
  let isFirst = !reinvocation.isReinvoke
  const settle = async () => {
    await held?.settle()
    held = undefined
  }
  const show: Show = async target => {
    if (held && !isSame(target, held.target))
      await settle().catch((error: unknown) => {
        throw error instanceof StatusError ? internalError(error.message) : error
      })
    const shown = await inVersionOf(attributes, target, 'admit')
    return held ? { ...shown, object: held.object } : shown
  }
  for (const webhook of webhooks) {
    const matched = await relevantAs(webhook, held ? { ...attributes, object: held.object } : attributes, show, conditions)
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
        if (!patched) return
        changed = patched.changed || (isFirst && differsAfterJson(attributes, shown.object))
        isFirst = false
        held = patched.held
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
  await settle()
  if (rounds.asked.size > 0) rounds.output = cloneJson(attributes.object)
}

/**
 * Whether an object that has been through JSON for the first time differs in Go by that alone, which counts as a change. Times in managedFields that this request
 * has set are kept to the nanosecond before, and a Scale of a custom resource has another type.
 */
function differsAfterJson({ resource, subresource, object, oldObject, context }: AdmissionAttributes, shown: any): boolean {
  // that of a custom resource is read back as a document, which no Scale of Go's equals
  if (isScale(resource, subresource) && resource.kind.custom) return true
  const entries: readonly ManagedFieldsEntry[] | undefined = shown?.metadata?.managedFields
  if (isUnstructured(resource, subresource) || !entries) return false
  if (isScale(resource, subresource)) {
    const { replicas } = resource.kind.subresources!.scale!
    return replicas(object) !== replicas(oldObject)
  }
  const now = timestamp(context.now)
  return entries.some(({ time }) => time === now) && !(oldObject && equalJson(unversioned(object), unversioned(oldObject)))
}

const unversioned = ({ metadata: { resourceVersion: _, ...metadata }, ...rest }: any) => ({ metadata, ...rest })
