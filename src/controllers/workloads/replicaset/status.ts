/** What a ReplicaSet or ReplicationController reports of its Pods. */
import { isDeepStrictEqual } from 'node:util'
import type { ReplicaSet, ReplicaSetStatus } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod, ReplicationController } from '../../../apimachinery/api/generated/core-v1.js'
import { timestamp } from '../../../util/time.js'
import { messageOf } from '../pod-control.js'
import { isAvailable, isReady } from '../pods.js'
import { withoutCondition } from '../status-conditions.js'

interface Counts {
  readonly active: readonly Pod[]
  /** Undefined for a kind that does not count them. */
  readonly terminating: readonly Pod[] | undefined
}

/** What kept Pods from being created or deleted. */
export interface SetFailure {
  readonly error: unknown
  readonly reason: 'FailedCreate' | 'FailedDelete'
}

const positive = (count: number) => count || undefined

/** The status to be written; undefined when the present one says the same. */
export function statusOf(
  set: ReplicaSet | ReplicationController,
  { active, terminating }: Counts,
  failure: SetFailure | undefined,
  now: number
): ReplicaSetStatus | undefined {
  const { status, spec, metadata } = set as ReplicaSet
  const labels = Object.entries(spec.template?.metadata?.labels ?? {})
  const counts = {
    replicas: active.length,
    fullyLabeledReplicas: positive(
      active.filter(pod => labels.every(([key, value]) => pod.metadata.labels?.[key] === value)).length
    ),
    readyReplicas: positive(active.filter(isReady).length),
    availableReplicas: positive(active.filter(pod => isAvailable(pod, spec.minReadySeconds ?? 0, now)).length),
    terminatingReplicas: terminating?.length
  }
  const next = { ...counts, observedGeneration: metadata.generation, conditions: conditionsOf(status, failure, now) }
  // a field that is undefined is one that is missing
  const present = Object.fromEntries(Object.keys(next).map(name => [name, status[name as keyof ReplicaSetStatus]]))
  return isDeepStrictEqual(present, next) ? undefined : next
}

function conditionsOf({ conditions }: ReplicaSetStatus, failure: SetFailure | undefined, now: number) {
  const failed = conditions?.some(({ type }) => type === 'ReplicaFailure')
  if (!failure) return failed ? withoutCondition(conditions, 'ReplicaFailure') : conditions
  if (failed) return conditions
  const condition = {
    type: 'ReplicaFailure',
    status: 'True',
    lastTransitionTime: timestamp(now),
    reason: failure.reason,
    message: messageOf(failure.error)
  }
  return [...(conditions ?? []), condition]
}
