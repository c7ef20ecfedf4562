/** What a Deployment reports of its ReplicaSets: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#deployment-status */
import type {
  Deployment,
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSet
} from '../../../apimachinery/api/generated/apps-v1.js'
import { timestamp } from '../../../util/time.js'
import { withCondition, withoutCondition } from '../status-conditions.js'
import { availableOf, maxUnavailable, presentOf, readyOf, terminatingOf, wanted, wantedOf } from './replica-sets.js'

/** The largest value of the field stands for none. */
const none = 2 ** 31 - 1

/** Seconds after which a rollout that makes no progress has failed. */
export function progressDeadline({ spec }: Deployment): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec
  return seconds === none ? undefined : seconds
}

export const conditionOf = ({ conditions }: DeploymentStatus, type: string): DeploymentCondition | undefined =>
  conditions?.find(condition => condition.type === type)

export function condition(type: string, status: string, reason: string, message: string, now: number): DeploymentCondition {
  const time = timestamp(now)
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message }
}

const positive = (count: number) => count || undefined

/** The status as far as it does not depend on the rollout. */
export function statusOf(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  now: number
): DeploymentStatus {
  const available = availableOf(sets)
  const enough = available >= wanted(deployment) - maxUnavailable(deployment)
  const availability = enough
    ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
    : condition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.', now)
  return {
    observedGeneration: deployment.metadata.generation,
    replicas: positive(presentOf(sets)),
    updatedReplicas: positive(newSet ? presentOf([newSet]) : 0),
    readyReplicas: positive(readyOf(sets)),
    availableReplicas: positive(available),
    unavailableReplicas: positive(Math.max(0, wantedOf(sets) - available)),
    terminatingReplicas: terminatingOf(sets),
    collisionCount: deployment.status.collisionCount,
    conditions: withCondition(deployment.status.conditions, availability)
  }
}

export function isComplete(
  deployment: Deployment,
  { updatedReplicas, replicas, availableReplicas, observedGeneration }: DeploymentStatus
) {
  const count = wanted(deployment)
  const isThere = [updatedReplicas, replicas, availableReplicas].every(number => (number ?? 0) === count)
  return isThere && (observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
}

function isProgressing({ status: old }: Deployment, status: DeploymentStatus): boolean {
  const more = (field: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') => (status[field] ?? 0) > (old[field] ?? 0)
  const outdated = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas
  return more('updatedReplicas') || more('readyReplicas') || more('availableReplicas') || outdated(status) < outdated(old)
}

function hasTimedOut(deployment: Deployment, status: DeploymentStatus, now: number): boolean {
  const progress = conditionOf(status, 'Progressing')
  if (!progress || progress.reason === 'NewReplicaSetAvailable') return false
  if (progress.reason === 'ProgressDeadlineExceeded') return true
  return Date.parse(progress.lastUpdateTime ?? '') + progressDeadline(deployment)! * 1000 < now
}

/** The status with the progress of the rollout, and with what keeps Pods from being created. */
export function rolloutStatusOf(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  now: number
): DeploymentStatus {
  const status = statusOf(deployment, sets, newSet, now)
  const conditions = withProgress(deployment, status, newSet, now)
  const failure = [...(newSet ? [newSet] : []), ...sets].flatMap(
    set => set.status.conditions?.filter(({ type }) => type === 'ReplicaFailure') ?? []
  )[0]
  if (!failure) return { ...status, conditions: withoutCondition(conditions, 'ReplicaFailure') }
  return { ...status, conditions: withCondition(conditions, { ...failure, lastUpdateTime: failure.lastTransitionTime }) }
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  newSet: ReplicaSet | undefined,
  now: number
): DeploymentCondition[] | undefined {
  const { conditions } = status
  if (progressDeadline(deployment) === undefined) return withoutCondition(conditions, 'Progressing')
  const current = conditionOf(deployment.status, 'Progressing')
  if ((status.replicas ?? 0) === (status.updatedReplicas ?? 0) && current?.reason === 'NewReplicaSetAvailable') return conditions
  const what = newSet ? `ReplicaSet "${newSet.metadata.name}"` : `Deployment "${deployment.metadata.name}"`
  const progress = (value: string, reason: string, words: string) =>
    condition('Progressing', value, reason, `${what} ${words}`, now)
  if (isComplete(deployment, status))
    return withCondition(conditions, progress('True', 'NewReplicaSetAvailable', 'has successfully progressed.'))
  if (isProgressing(deployment, status)) {
    // each progress counts, also of the same reason: the deadline begins anew
    const next = progress('True', 'ReplicaSetUpdated', 'is progressing.')
    const since = current?.status === 'True' ? { lastTransitionTime: current.lastTransitionTime } : {}
    return withCondition(withoutCondition(conditions, 'Progressing'), { ...next, ...since })
  }
  if (hasTimedOut(deployment, status, now))
    return withCondition(conditions, progress('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'))
  return conditions
}
