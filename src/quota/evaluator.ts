/**
 * What objects use of the resources that a ResourceQuota can limit (https://kubernetes.io/docs/concepts/policy/resource-quotas/).
 * One evaluator for each resource that is more than counted, and one for all others.
 */
import type { ScopedResourceSelectorRequirement } from '../api/generated/core-v1.js'
import type { GroupResource } from '../status/status.js'

export type Usage = Record<string, string>
export type Scope = ScopedResourceSelectorRequirement

export interface Evaluator {
  /** Of the names in a quota, those that speak of this resource. */
  matches(name: string): boolean
  /** What an object uses; names that no quota has do no harm. */
  usage(object: any, now: number): Usage
  inScope(object: any, scope: Scope): boolean
  /** Whether a write may change what is used. */
  isCharged(operation: 'CREATE' | 'UPDATE', subresource: string, object: any, old: any): boolean
  /** Whether a change, not a deletion, may have given something back. */
  isReleasedBy(object: any, old: any): boolean
  /** What an object fails to say though a quota counts it; undefined when nothing. */
  missing?(names: readonly string[], object: any): string | undefined
}

/** "count/deployments.apps", "count/pods" */
export function countName({ group, resource }: GroupResource): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`
}

/** Names from before there was "count/". */
const olderNames: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'])

export function countEvaluator(what: GroupResource): Evaluator {
  const names = [countName(what), ...(what.group === '' && olderNames.has(what.resource) ? [what.resource] : [])]
  return {
    matches: name => names.includes(name),
    usage: () => Object.fromEntries(names.map(name => [name, '1'])),
    inScope: () => false,
    isCharged: (operation, subresource) => operation === 'CREATE' && subresource === '',
    isReleasedBy: () => false
  }
}
