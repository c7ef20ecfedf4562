import type { ResourceQuota } from '../api/generated/core-v1.js'
import type { Resource } from '../registry/resource.js'
import { countEvaluator, type Evaluator } from './evaluator.js'
import { persistentVolumeClaimEvaluator } from './persistent-volume-claims.js'
import { podEvaluator } from './pods.js'
import { resourceClaimEvaluator } from './resource-claims.js'
import { scopesOf } from './scopes.js'
import { serviceEvaluator } from './services.js'

const special: ReadonlyMap<string, Evaluator> = new Map([
  ['/pods', podEvaluator],
  ['/services', serviceEvaluator],
  ['/persistentvolumeclaims', persistentVolumeClaimEvaluator],
  ['resource.k8s.io/resourceclaims', resourceClaimEvaluator]
])

const known = new WeakMap<Resource, Evaluator>()

/** Returns the evaluator of a resource; undefined for those that quotas do not count: unstored, cluster-scoped, and events. */
export function evaluatorOf(resource: Resource): Evaluator | undefined {
  const { group, kind, namespaced, groupResource } = resource
  if (!namespaced || kind.virtual || (resource.resource === 'events' && (group === '' || group === 'events.k8s.io')))
    return undefined
  let evaluator = special.get(`${group}/${resource.resource}`) ?? known.get(resource)
  if (!evaluator) known.set(resource, (evaluator = countEvaluator(groupResource)))
  return evaluator
}

/** Whether a quota counts an object: one of its names limits the resource, and the object is in all its scopes. */
export function quotaMatches(quota: ResourceQuota, evaluator: Evaluator, object: unknown): boolean {
  return (
    Object.keys(quota.status.hard ?? {}).some(evaluator.matches) &&
    scopesOf(quota).every(scope => evaluator.inScope(object, scope))
  )
}
