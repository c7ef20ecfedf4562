import type { ResourceQuota } from '../../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../../apimachinery/api/resources.js'
import { forbidden, StatusError } from '../../../apimachinery/status/status.js'
import type { Evaluator, Usage } from '../../../kinds/quota/evaluator.js'
import { evaluatorOf, quotaMatches } from '../../../kinds/quota/evaluators.js'
import type { Resource } from '../../../registry/resource.js'
import { noAdmission } from '../../../registry/write/admission.js'
import { Operation } from '../../../registry/write/operation.js'
import { edit } from '../../../registry/write/verbs.js'
import { write as writeObject } from '../../../registry/write/write.js'
import { cloneJson, equalJson } from '../../../util/json.js'
import { addQuantities, compareQuantities, subtractQuantities } from '../../../util/quantity.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'
import type { LimitedResource } from '../../configuration/quota-configuration.js'
import { checkCovered, usageOf } from './limited-resources.js'

/**
 * Charges the resources that a write uses to the quotas of its namespace, and refuses a write that would exceed one
 * (https://kubernetes.io/docs/concepts/policy/resource-quotas/).
 */
export const resourceQuota = (limited: readonly LimitedResource[] = []): BuiltinPlugin => ({
  name: 'ResourceQuota',
  operations: ['CREATE', 'UPDATE'],
  subresources: '*',
  validate(attributes) {
    const { resource, namespace, operation, subresource, object, oldObject, context } = attributes
    const { registry } = context.services
    const evaluator = evaluatorOf(resource, registry)
    if (!evaluator || !registry.serves(refs.resourceQuotas)) return undefined
    if (!evaluator.isCharged(operation as 'CREATE' | 'UPDATE', subresource, object, oldObject)) return undefined
    const quotas = registry.of(refs.resourceQuotas)
    const present = quotas.list(namespace)
    // first all quotas report what the object lacks, and only then one reports that it is exceeded
    const concerned = present.filter(quota => concerns(quota, attributes, evaluator))
    if (limited.length > 0) checkCovered(attributes, evaluator, present, limited)
    const charged = concerned.filter(quota => charge(attributes, evaluator, quota) !== undefined)
    // the objects of a set are charged together, in a dry run, too: what they charge is committed with them or not at all
    const isCounted = !context.dryRun || context.services.committer !== undefined
    return charged.length === 0 || !isCounted ? undefined : write(attributes, evaluator, quotas, charged)
  }
})

/** Charges each quota after all have agreed. Computes each charge anew, as other writes may have charged the quota meanwhile. */
async function write(
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  resource: Resource,
  charged: readonly ResourceQuota[]
): Promise<void> {
  const operation = new Operation(
    {
      resource,
      version: resource.memoryVersion.name,
      namespace: attributes.namespace,
      subresource: 'status',
      user: { name: 'system:apiserver', groups: ['system:masters'] },
      manager: 'kube-apiserver'
    },
    attributes.context.services,
    noAdmission
  )
  for (const { metadata } of charged) {
    const change = (quota: ResourceQuota) => {
      const used = concerns(quota, attributes, evaluator) && charge(attributes, evaluator, quota)
      return used ? { ...cloneJson(quota), status: { ...quota.status, used } } : cloneJson(quota)
    }
    try {
      await writeObject(operation, edit, { name: metadata.name! }, { change })
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 404) throw error
    }
  }
}

/** Whether the quota concerns the object. Throws when the object says too little for it, or nobody has computed its usage yet. */
function concerns(quota: ResourceQuota, { resource, name, object }: AdmissionAttributes, evaluator: Evaluator): boolean {
  if (!quotaMatches(quota, evaluator, object)) return false
  const refuse = (why: string) => forbidden(resource.groupResource, name, why)
  const { hard = {}, used = {} } = quota.status
  const concerned = Object.keys(hard).filter(evaluator.matches)
  const missing = evaluator.missing?.(concerned, object)
  if (missing !== undefined) throw refuse(`failed quota: ${quota.metadata.name}: ${missing}`)
  if (!concerned.every(key => Object.hasOwn(used, key)))
    throw refuse(`status unknown for quota: ${quota.metadata.name}, resources: ${concerned.sort().join(',')}`)
  return true
}

/** Returns the quota's usage after the write, or undefined when it stays the same. Throws when the quota is exceeded. */
function charge(attributes: AdmissionAttributes, evaluator: Evaluator, quota: ResourceQuota): Usage | undefined {
  const { operation, resource, subresource, name, oldObject, context } = attributes
  const refuse = (why: string) => forbidden(resource.groupResource, name, why)
  const { hard = {}, used = {} } = quota.status
  const usage = usageOf(attributes, evaluator)
  const before =
    operation === 'UPDATE' && quotaMatches(quota, evaluator, oldObject) ? evaluator.usage(oldObject, context.now) : {}
  const more = Object.fromEntries(
    // all that it uses is charged, also by names that alone would not concern it
    Object.keys(hard).flatMap(key => {
      const amount = usage[key] === undefined ? '0' : subtractQuantities(usage[key], before[key] ?? '0')
      return compareQuantities(amount, '0') > 0 ? [[key, amount]] : []
    })
  )
  const after = { ...used }
  for (const [key, amount] of Object.entries(more)) after[key] = addQuantities(used[key] ?? '0', amount)
  const exceeded = Object.keys(more).filter(key => compareQuantities(after[key]!, hard[key]!) > 0)
  if (exceeded.length > 0 && subresource !== 'status') {
    const shown = (list: Usage) =>
      exceeded
        .sort()
        .map(key => `${key}=${list[key]}`)
        .join(',')
    throw refuse(
      `exceeded quota: ${quota.metadata.name}, requested: ${shown(more)}, used: ${shown(used)}, limited: ${shown(hard)}`
    )
  }
  return equalJson(after, used) ? undefined : after
}
