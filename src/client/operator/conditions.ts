/** Conditions of a status, as `k8s.io/apimachinery/api/meta` keeps them. */
import type { Condition } from '../../apimachinery/api/generated/meta-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { timestamp } from '../../util/time.js'

/**
 * A condition to set. `observedGeneration` is that of the object, `lastTransitionTime` now, when left out.
 *
 * @example
 * const ready: NewCondition = { type: 'Ready', status: 'True', reason: 'RoomFound', message: 'the room is there' }
 */
export interface NewCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message?: string | undefined
  readonly observedGeneration?: number | undefined
  readonly lastTransitionTime?: string | undefined
}

interface WithConditions extends KubeObject {
  status?: { conditions?: Condition[] | null | undefined } | null | undefined
}

const conditionsOf = (object: KubeObject): readonly Condition[] => (object as WithConditions).status?.conditions ?? []

/**
 * Sets a condition in the object's `status.conditions`, and returns whether that changed anything. Its `lastTransitionTime` changes only with its status. `now`:
 * milliseconds since 1970.
 *
 * @example
 * const changed = setCondition(object, { type: 'Ready', status: 'True', reason: 'RoomFound' })
 * if (changed) await client.of(course).subresource('status').update(object, object)
 */
export function setCondition(object: KubeObject, condition: NewCondition, now: number = Date.now()): boolean {
  const { type, status, reason, message = '' } = condition
  const observedGeneration = condition.observedGeneration ?? object.metadata.generation
  const present = findCondition(object, type)
  const since = condition.lastTransitionTime ?? timestamp(now)
  const lastTransitionTime =
    present?.status === status ? (condition.lastTransitionTime ?? present.lastTransitionTime ?? since) : since
  const next: Condition = {
    type,
    status,
    reason,
    message,
    lastTransitionTime,
    ...(observedGeneration === undefined ? {} : { observedGeneration })
  }
  const isSame =
    present !== undefined &&
    present.status === status &&
    present.reason === reason &&
    present.message === message &&
    present.lastTransitionTime === lastTransitionTime &&
    present.observedGeneration === next.observedGeneration
  if (isSame) return false
  const known = conditionsOf(object)
  const holder = object as WithConditions
  holder.status ??= {}
  holder.status.conditions = present ? known.map(each => (each.type === type ? next : each)) : [...known, next]
  return true
}

/**
 * Removes a condition, and returns whether it was there.
 *
 * @example
 * removeCondition(object, 'Degraded')
 */
export function removeCondition(object: KubeObject, type: string): boolean {
  if (!findCondition(object, type)) return false
  ;(object as WithConditions).status!.conditions = conditionsOf(object).filter(each => each.type !== type)
  return true
}

/**
 * Returns a condition of the object's status.
 *
 * @example
 * const why = findCondition(object, 'Ready')?.message
 */
export function findCondition(object: KubeObject, type: string): Condition | undefined {
  return conditionsOf(object).find(each => each.type === type)
}

/**
 * Whether a condition has the status `True`.
 *
 * @example
 * if (!isConditionTrue(database, 'Ready')) return { requeueAfter: 5000 }
 */
export function isConditionTrue(object: KubeObject, type: string): boolean {
  return findCondition(object, type)?.status === 'True'
}
