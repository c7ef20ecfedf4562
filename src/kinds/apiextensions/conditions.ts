import type {
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionStatus
} from '../../apimachinery/api/generated/apiextensions-v1.js'
import { timestamp } from '../../util/time.js'

/** The finalizer that keeps a definition until its objects are gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

/** Sets a condition, and its transition time when its status changes. Returns whether anything changed. `now` is in milliseconds. */
export function setDefinitionCondition(
  definition: CustomResourceDefinitionStatus,
  now: number,
  condition: Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>
): boolean {
  definition.conditions ??= []
  const { conditions } = definition
  const at = conditions.findIndex(c => c.type === condition.type)
  const old = conditions[at]
  if (old?.status === condition.status && old.reason === condition.reason && old.message === condition.message) return false
  const { type, status, reason, message } = condition
  const lastTransitionTime = old?.status === status ? old.lastTransitionTime : timestamp(now)
  const next = { type, status, lastTransitionTime, reason, message } as CustomResourceDefinitionCondition
  if (old) conditions[at] = next
  else conditions.push(next)
  return true
}

export function hasCondition({ conditions }: CustomResourceDefinitionStatus, type: string): boolean {
  return conditions?.some(c => c.type === type && c.status === 'True') ?? false
}
