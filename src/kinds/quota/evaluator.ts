/**
 * Computes how much objects use of the resources that a ResourceQuota can limit (https://kubernetes.io/docs/concepts/policy/resource-quotas/).
 * Resources of which a quota limits more than the number of objects have their own evaluator; all others share one.
 */
import type { ScopedResourceSelectorRequirement } from '../../apimachinery/api/generated/core-v1.js'
import type { GroupResource } from '../../apimachinery/status/status.js'

export type Usage = Record<string, string>
export type Scope = ScopedResourceSelectorRequirement

export interface Evaluator {
  /** Whether a name in a quota limits this resource. */
  matches(name: string): boolean
  /** The usage of an object, also by names that no quota has. */
  usage(object: any, now: number): Usage
  inScope(object: any, scope: Scope): boolean
  /** Whether a write may change the usage. */
  isCharged(operation: 'CREATE' | 'UPDATE', subresource: string, object: any, old: any): boolean
  /** Set where every object uses the same and is in no scope, so that no update changes what a quota counts. */
  readonly isConstant?: true
  /** Returns an error text when an object lacks a request or limit that a quota counts, else undefined. */
  missing?(names: readonly string[], object: any): string | undefined
}

/** "count/deployments.apps", "count/pods" */
function countName({ group, resource }: GroupResource): string {
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
    isConstant: true
  }
}
