import type { ResourceQuota } from '../../apimachinery/api/generated/core-v1.js'
import * as refs from '../../apimachinery/api/resources.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import { compareQuantities } from '../../util/quantity.js'
import { resourcesOf } from '../resource/class-resources.js'
import { countEvaluator, type Evaluator } from './evaluator.js'
import { persistentVolumeClaimEvaluator } from './persistent-volume-claims.js'
import { podEvaluator } from './pods.js'
import { resourceClaimEvaluator } from './resource-claims.js'
import { scopesOf } from './scopes.js'
import { serviceEvaluator } from './services.js'

const special: ReadonlyMap<string, Evaluator> = new Map([
  ['/pods', podEvaluator],
  ['/services', serviceEvaluator],
  ['/persistentvolumeclaims', persistentVolumeClaimEvaluator]
])

const known = new WeakMap<Resource, Evaluator>()

/** Returns the evaluator of a resource of `registry`; undefined for those that quotas do not count: unstored, cluster-scoped, and events. */
export function evaluatorOf(resource: Resource, registry: Pick<Registry, 'ifServed'>): Evaluator | undefined {
  const { group, kind, namespaced } = resource
  if (!namespaced || kind.virtual || (resource.resource === 'events' && (group === '' || group === 'events.k8s.io')))
    return undefined
  let evaluator = special.get(`${group}/${resource.resource}`) ?? known.get(resource)
  if (!evaluator) known.set(resource, (evaluator = evaluatorFor(resource, registry)))
  return evaluator
}

function evaluatorFor({ group, resource, groupResource }: Resource, registry: Pick<Registry, 'ifServed'>): Evaluator {
  if (group !== refs.resourceClaims.group || resource !== refs.resourceClaims.resource) return countEvaluator(groupResource)
  const pods = registry.ifServed(refs.pods)
  const classes = () => registry.ifServed(refs.deviceClasses)?.list() ?? []
  let provided: { readonly at: number | undefined; readonly names: ReadonlySet<string> } | undefined
  return resourceClaimEvaluator({
    classes,
    provided() {
      const at = registry.ifServed(refs.deviceClasses)?.cache.revision
      if (!provided || provided.at !== at) provided = { at, names: new Set(classes().flatMap(resourcesOf)) }
      return provided.names
    },
    pod(namespace, name) {
      const found = pods?.get(namespace, name)
      return found && pods!.peek(found)
    },
    claims: namespace => registry.ifServed(refs.resourceClaims)?.list(namespace) ?? []
  })
}

const isInScopes = (quota: ResourceQuota, evaluator: Evaluator, object: unknown) =>
  scopesOf(quota).every(scope => evaluator.inScope(object, scope))

/** Whether a quota counts an object: one of its names limits the resource, and the object is in all its scopes. */
export function quotaMatches(quota: ResourceQuota, evaluator: Evaluator, object: unknown): boolean {
  return Object.keys(quota.status.hard ?? {}).some(evaluator.matches) && isInScopes(quota, evaluator, object)
}

/** Whether a quota counts the two states of an object differently: one of them uses more, or is in scopes that the other has left. */
export function countsDifferently(
  quota: ResourceQuota,
  evaluator: Evaluator,
  object: unknown,
  old: unknown,
  now: number
): boolean {
  const names = Object.keys(quota.spec.hard ?? {}).filter(evaluator.matches)
  if (names.length === 0) return false
  const counted = (state: unknown) => (isInScopes(quota, evaluator, state) ? evaluator.usage(state, now) : {})
  const [before, after] = [counted(old), counted(object)]
  return names.some(name => compareQuantities(before[name] ?? '0', after[name] ?? '0') !== 0)
}
