/** What a PodDisruptionBudget reports: https://kubernetes.io/docs/tasks/run-application/configure-pdb/ */
import { isDeepStrictEqual } from 'node:util'
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { Condition } from '../../apimachinery/api/generated/meta-v1.js'
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../apimachinery/api/generated/policy-v1.js'
import { timestamp } from '../../util/time.js'
import { scaledValue } from '../workloads/int-or-percent.js'
import { isReady } from '../workloads/pods.js'

/** A Pod whose eviction was allowed, and which nobody deletes in this time, stays. */
export const deletionMs = 120_000

const conditionType = 'DisruptionAllowed'

/** Whether the whole is what controllers want, and not the Pods there are. */
export const needsScale = ({ spec }: PodDisruptionBudget): boolean =>
  spec.maxUnavailable !== undefined || typeof spec.minAvailable === 'string'

/** How many Pods must be healthy of so many. */
export function desiredHealthy({ spec: { minAvailable, maxUnavailable } }: PodDisruptionBudget, expected: number): number {
  if (maxUnavailable !== undefined) return Math.max(0, expected - scaledValue(maxUnavailable, expected, 'up'))
  return scaledValue(minAvailable, expected, 'up')
}

export interface Disrupted {
  /** When the eviction of Pods was allowed, by their names: those that are still to be deleted. */
  readonly pods: Readonly<Record<string, string>>
  /** Those that should have been deleted by now. */
  readonly late: readonly Pod[]
  /** When the next of them is late, in milliseconds since 1970. */
  readonly recheckAt: number | undefined
}

export function disruptedOf({ status }: PodDisruptionBudget, pods: readonly Pod[], now: number): Disrupted {
  const kept = new Map<string, string>()
  const late: Pod[] = []
  let recheckAt: number | undefined
  for (const pod of pods) {
    const { name, deletionTimestamp } = pod.metadata
    const time = status.disruptedPods && Object.hasOwn(status.disruptedPods, name!) ? status.disruptedPods[name!] : undefined
    if (deletionTimestamp || !time) continue
    const due = Date.parse(time) + deletionMs
    if (due < now) late.push(pod)
    else {
      kept.set(name!, time)
      recheckAt = Math.min(recheckAt ?? due, due)
    }
  }
  return { pods: Object.fromEntries(kept), late, recheckAt }
}

const isHealthy = (pod: Pod, disrupted: Readonly<Record<string, string>>): boolean =>
  !pod.metadata.deletionTimestamp && !Object.hasOwn(disrupted, pod.metadata.name!) && isReady(pod)

interface Counted {
  readonly pods: readonly Pod[]
  readonly expected: number
  readonly disrupted: Readonly<Record<string, string>>
}

/** The status to be written; undefined when the present one says the same. */
export function statusOf(
  budget: PodDisruptionBudget,
  { pods, expected, disrupted }: Counted,
  now: number
): PodDisruptionBudgetStatus | undefined {
  const { status, metadata } = budget
  const currentHealthy = pods.filter(pod => isHealthy(pod, disrupted)).length
  const desired = desiredHealthy(budget, expected)
  // a budget of no Pods allows nothing: the first ones may be there before they are counted
  const disruptionsAllowed = expected <= 0 ? 0 : Math.max(0, currentHealthy - desired)
  const conditions = withCondition(status.conditions, {
    type: conditionType,
    status: disruptionsAllowed > 0 ? 'True' : 'False',
    observedGeneration: metadata.generation,
    lastTransitionTime: timestamp(now),
    reason: disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods',
    message: ''
  })
  const counts = { currentHealthy, desiredHealthy: desired, expectedPods: expected, disruptionsAllowed }
  const generation = { observedGeneration: metadata.generation }
  const next = {
    ...counts,
    ...generation,
    ...(Object.keys(disrupted).length > 0 ? { disruptedPods: disrupted } : {}),
    conditions
  }
  const { disruptedPods, ...others } = status
  const hasDisrupted = disruptedPods !== undefined && Object.keys(disruptedPods).length > 0
  const present = { ...others, ...(hasDisrupted ? { disruptedPods: { ...disruptedPods } } : {}) }
  return isDeepStrictEqual(present, next) ? undefined : next
}

/** The status of a budget that cannot be computed: it allows nothing. */
export function failedStatus(
  { status }: PodDisruptionBudget,
  message: string,
  now: number
): PodDisruptionBudgetStatus | undefined {
  const condition = { type: conditionType, status: 'False', reason: 'SyncFailed', message, lastTransitionTime: timestamp(now) }
  const { observedGeneration } = status
  const conditions = withCondition(status.conditions, { ...condition, observedGeneration } as Condition)
  const next = { ...status, disruptionsAllowed: 0, conditions }
  return isDeepStrictEqual(next, status) ? undefined : next
}

/** The conditions with this one at the place of the one of its type: the time stays as long as the status does. */
function withCondition(conditions: readonly Condition[] = [], condition: Condition): Condition[] {
  const old = conditions.find(({ type }) => type === condition.type)
  const since = old?.status === condition.status ? old.lastTransitionTime : condition.lastTransitionTime
  const next = Object.fromEntries(
    Object.entries({ ...old, ...condition, lastTransitionTime: since }).filter(([, value]) => value !== undefined)
  ) as unknown as Condition
  return old ? conditions.map(one => (one === old ? next : one)) : [...conditions, next]
}
