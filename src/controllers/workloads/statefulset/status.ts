/** What a StatefulSet reports of its Pods. */
import type { StatefulSetStatus } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { isAvailable } from '../pods.js'
import { isCreated, isGoing, isRunningAndReady, podRevision, type Stateful, wanted } from './stateful-pods.js'

/** What the counts are made of. */
export interface Counted {
  readonly pods: readonly Pod[]
  /** The names of the revisions. */
  readonly current: string
  readonly update: string
  readonly collisionCount: number
}

const positive = (count: number) => count || undefined

export function statusOf(set: Stateful, { pods, current, update, collisionCount }: Counted, now: number): StatefulSetStatus {
  const ready = pods.filter(isRunningAndReady)
  const present = pods.filter(isCreated)
  const of = (revision: string) => present.filter(pod => !isGoing(pod) && podRevision(pod) === revision).length
  return {
    observedGeneration: set.metadata.generation,
    replicas: present.length,
    readyReplicas: positive(ready.length),
    currentReplicas: positive(of(current)),
    updatedReplicas: positive(of(update)),
    currentRevision: current,
    updateRevision: update,
    collisionCount,
    conditions: set.status.conditions,
    availableReplicas: ready.filter(pod => isAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length
  }
}

/** Ends an update when all Pods have it. */
export function completed(set: Stateful, status: StatefulSetStatus): StatefulSetStatus {
  const { updatedReplicas = 0, readyReplicas = 0, replicas, updateRevision } = status
  if ([updatedReplicas, readyReplicas, replicas].some(count => count !== wanted(set))) return status
  return { ...status, currentReplicas: status.updatedReplicas, currentRevision: updateRevision }
}

const compared = [
  'replicas',
  'currentReplicas',
  'readyReplicas',
  'updatedReplicas',
  'currentRevision',
  'availableReplicas',
  'updateRevision'
] as const

export function hasChanged({ status: old }: Stateful, status: StatefulSetStatus): boolean {
  if ((status.observedGeneration ?? 0) > (old.observedGeneration ?? 0)) return true
  return compared.some(field => (status[field] ?? 0) !== (old[field] ?? 0))
}
