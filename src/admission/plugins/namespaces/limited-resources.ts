/** Refuses the use of resources that may be used only where a quota covers them. */
import type { ResourceQuota } from '../../../apimachinery/api/generated/core-v1.js'
import { forbidden, plainError } from '../../../apimachinery/status/status.js'
import type { Evaluator, Scope, Usage } from '../../../kinds/quota/evaluator.js'
import { quotaMatches } from '../../../kinds/quota/evaluators.js'
import { scopesOf } from '../../../kinds/quota/scopes.js'
import { compareUtf8 } from '../../../util/go-format.js'
import { compareQuantities } from '../../../util/quantity.js'
import type { AdmissionAttributes } from '../../admission.js'
import type { LimitedResource } from '../../configuration/quota-configuration.js'

/** Returns the usage of the written object. Throws when it is negative. */
export function usageOf({ resource, name, object, context }: AdmissionAttributes, evaluator: Evaluator): Usage {
  const usage = evaluator.usage(object, context.now)
  const negative = Object.keys(usage).filter(key => compareQuantities(usage[key]!, '0') < 0)
  if (negative.length === 0) return usage
  throw forbidden(resource.groupResource, name, `quota usage is negative for resource(s): ${negative.sort().join(',')}`)
}

/** Throws when no quota of `quotas` covers a limited resource or scope of a write that uses more than before. */
export function checkCovered(
  attributes: AdmissionAttributes,
  evaluator: Evaluator,
  quotas: readonly ResourceQuota[],
  limited: readonly LimitedResource[]
): void {
  const { resource, name, object, oldObject, operation, context } = attributes
  const { group, resource: plural } = resource.groupResource
  const usage = usageOf(attributes, evaluator)
  const matching = quotas.filter(quota => quotaMatches(quota, evaluator, object))
  const before = operation === 'UPDATE' ? evaluator.usage(oldObject, context.now) : {}
  const countsWhole = matching.some(quota => operation !== 'UPDATE' || !quotaMatches(quota, evaluator, oldObject))
  const usesMore = Object.keys(usage).some(key => compareQuantities(usage[key]!, countsWhole ? '0' : (before[key] ?? '0')) > 0)
  if (!usesMore) return

  const used = Object.keys(usage).filter(key => compareQuantities(usage[key]!, '0') > 0)
  const texts = limited.filter(one => one.group === group && one.resource === plural).flatMap(one => one.matchContains)
  const covered = new Set(matching.flatMap(({ status }) => Object.keys(status.hard ?? {}).filter(evaluator.matches)))
  const uncovered = used.filter(key => !covered.has(key) && texts.some(text => key.includes(text)))
  if (uncovered.length > 0)
    throw forbidden(resource.groupResource, name, `insufficient quota to consume: ${uncovered.sort(compareUtf8).join(',')}`)

  const isIn = (scope: Scope) => evaluator.inScope(object, scope)
  const coveredScopes = new Set(quotas.flatMap(quota => scopesOf(quota).filter(isIn)).map(({ scopeName }) => scopeName))
  // kube-apiserver looks at the scopes of all limited resources, whichever resource they are about
  const missing = limited.flatMap(one => one.matchScopes.filter(scope => isIn(scope) && !coveredScopes.has(scope.scopeName)))
  if (missing.length > 0) throw plainError(`insufficient quota to match these scopes: [${missing.map(scopeText).join(' ')}]`)
}

/** Formats a scope as Go prints the struct. */
const scopeText = ({ scopeName, operator, values }: Scope) => `{${scopeName} ${operator ?? ''} [${(values ?? []).join(' ')}]}`
