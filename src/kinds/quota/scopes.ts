import type { ResourceQuota } from '../../apimachinery/api/generated/core-v1.js'
import type { Scope } from './evaluator.js'

/** All scopes of a quota, including those in short form. */
export function scopesOf({ spec }: ResourceQuota): Scope[] {
  const short = (spec.scopes ?? []).map(scopeName => ({ scopeName, operator: 'Exists' }) as Scope)
  return [...short, ...(spec.scopeSelector?.matchExpressions ?? [])]
}

/** Whether a requirement holds for an object that has these values: for one of them, or for none at all. */
export function selects({ operator, values }: Scope, present: readonly string[]): boolean {
  const listed = present.some(value => values?.includes(value) ?? false)
  switch (operator) {
    case 'In':
      return listed
    case 'NotIn':
      return present.length === 0 || present.some(value => !values?.includes(value))
    case 'Exists':
      return present.length > 0
    default:
      return present.length === 0
  }
}
