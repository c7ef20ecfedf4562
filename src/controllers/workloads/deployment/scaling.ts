/** Shares a change of size among the sets of a rollout that is under way: https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#proportional-scaling */
import type { Deployment, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import { maximumOf } from './annotations.js'
import { bySizeThenNewer, bySizeThenOlder, maxSurge, wanted, wantedOf } from './replica-sets.js'

/** The sizes that the sets should have, which are active ones. What cannot be shared evenly goes to the largest. */
export function proportionalSizes(deployment: Deployment, sets: readonly ReplicaSet[]): [ReplicaSet, number][] {
  const count = wanted(deployment)
  const allowed = count > 0 ? count + maxSurge(deployment) : 0
  const toAdd = allowed - wantedOf(sets)
  const sorted = toAdd === 0 ? [...sets] : sets.toSorted(toAdd > 0 ? bySizeThenNewer : bySizeThenOlder)
  let added = 0
  const sizes = sorted.map(set => {
    const share = toAdd === 0 || toAdd === added ? 0 : shareOf(set, deployment)
    const part = toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added)
    const given = toAdd === 0 ? 0 : part
    added += given
    return [set, wanted(set) + given] as [ReplicaSet, number]
  })
  if (toAdd !== 0 && sizes[0]) sizes[0][1] = Math.max(0, sizes[0][1] + toAdd - added)
  return sizes
}

function shareOf(set: ReplicaSet, deployment: Deployment): number {
  const size = wanted(set)
  if (wanted(deployment) === 0) return -size
  const before = maximumOf(set) || deployment.status.replicas || 0
  if (before === 0) return 0
  const part = (size * (wanted(deployment) + maxSurge(deployment))) / before
  return (part < 0 ? Math.ceil(part - 0.5) : Math.floor(part + 0.5)) - size
}
