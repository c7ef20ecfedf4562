/** What a Deployment asks of its ReplicaSets. */
import type { Deployment, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import { scaledValue } from '../int-or-percent.js'
import { makeSamePods } from '../template-hash.js'

export const wanted = ({ spec }: Deployment | ReplicaSet): number => spec.replicas ?? 1

const sum = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number | undefined) =>
  sets.reduce((total, set) => total + (count(set) ?? 0), 0)

export const wantedOf = (sets: readonly ReplicaSet[]): number => sum(sets, wanted)
export const presentOf = (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status.replicas)
export const readyOf = (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status.readyReplicas)
export const availableOf = (sets: readonly ReplicaSet[]): number => sum(sets, ({ status }) => status.availableReplicas)

/** Undefined when a set does not say yet how many of its Pods end. */
export function terminatingOf(sets: readonly ReplicaSet[]): number | undefined {
  const unknown = ({ status }: ReplicaSet) => status.terminatingReplicas === undefined && (status.observedGeneration ?? 0) !== 0
  return sets.some(unknown) ? undefined : sum(sets, ({ status }) => status.terminatingReplicas)
}

export const active = (sets: readonly ReplicaSet[]): ReplicaSet[] => sets.filter(set => wanted(set) > 0)

const created = ({ metadata }: ReplicaSet) => Date.parse(metadata.creationTimestamp ?? '')
const byName = (a: ReplicaSet, b: ReplicaSet) => (a.metadata.name! < b.metadata.name! ? -1 : 1)

export const byCreation = (a: ReplicaSet, b: ReplicaSet): number => created(a) - created(b) || byName(a, b)
export const bySizeThenOlder = (a: ReplicaSet, b: ReplicaSet): number => wanted(b) - wanted(a) || byCreation(a, b)
export const bySizeThenNewer = (a: ReplicaSet, b: ReplicaSet): number => wanted(b) - wanted(a) || byCreation(b, a)

/** The set with the present template: the oldest, if several have it. */
export const newSetOf = ({ spec }: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  sets.toSorted(byCreation).find(set => makeSamePods(set.spec.template!, spec.template))

export const isRolling = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate'

/** How many Pods there may be beyond those that are wanted. */
export function maxSurge(deployment: Deployment): number {
  const { rollingUpdate } = deployment.spec.strategy
  return isRolling(deployment) ? scaledValue(rollingUpdate?.maxSurge, wanted(deployment), 'up') : 0
}

/** How many Pods may be missing. With no surge either, it is one, so that a rollout can begin. */
export function maxUnavailable(deployment: Deployment): number {
  const count = wanted(deployment)
  if (!isRolling(deployment) || count === 0) return 0
  const missing = scaledValue(deployment.spec.strategy.rollingUpdate?.maxUnavailable, count, 'down')
  return Math.min(count, missing === 0 && maxSurge(deployment) === 0 ? 1 : missing)
}
