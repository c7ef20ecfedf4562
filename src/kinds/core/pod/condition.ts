import type { PodCondition, PodStatus } from '../../../apimachinery/api/generated/core-v1.js'
import { timestamp } from '../../../util/time.js'

/** Sets a condition at its place in the list, and its transition time when its status changes. */
export function setPodCondition(
  status: PodStatus,
  condition: Omit<PodCondition, 'lastProbeTime' | 'lastTransitionTime'>,
  now: number
): void {
  const conditions = status.conditions ?? []
  const at = conditions.findIndex(c => c.type === condition.type)
  const before = conditions[at]
  const since = before?.status === condition.status ? before.lastTransitionTime : timestamp(now)
  const changed = { ...condition, lastProbeTime: null, lastTransitionTime: since }
  status.conditions = before ? conditions.with(at, changed) : [...conditions, changed]
}
