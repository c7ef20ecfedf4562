/** What controllers ask of Pods. */
import type { Pod, PodCondition } from '../../apimachinery/api/generated/core-v1.js'

/** Neither ended nor being deleted. */
export const isActive = ({ status, metadata }: Pod): boolean => !hasEnded(status.phase) && !metadata.deletionTimestamp

/** Being deleted, and not ended yet. */
export const isTerminating = ({ status, metadata }: Pod): boolean => !hasEnded(status.phase) && !!metadata.deletionTimestamp

export const hasEnded = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed'

export const podCondition = ({ status }: Pod, type: string): PodCondition | undefined =>
  status.conditions?.find(condition => condition.type === type)

export const isReady = (pod: Pod): boolean => podCondition(pod, 'Ready')?.status === 'True'

const readySince = (pod: Pod): number => Date.parse(podCondition(pod, 'Ready')?.lastTransitionTime ?? '')

/** Ready for at least `minReadySeconds`, at the time `now` in milliseconds. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false
  return minReadySeconds === 0 || readySince(pod) + minReadySeconds * 1000 <= now
}

/** Milliseconds until the first of the Pods that are ready becomes available; undefined when none will. */
export function untilAvailable(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods
    .filter(pod => isReady(pod) && !isAvailable(pod, minReadySeconds, now))
    .map(pod => readySince(pod) + minReadySeconds * 1000 - now)
  return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits))
}

const phases = ['Pending', 'Unknown', 'Running']
const timeOf = (text: string | null | undefined) => (text ? Date.parse(text) : Number.NaN)

function deletionCost({ metadata }: Pod): number {
  const cost = metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost']
  return cost && /^[+-]?\d+$/.test(cost) ? Number(cost) : 0
}

/** Restarts of the container with the most, and of the sidecar with the most. */
function mostRestarts({ spec, status }: Pod): [number, number] {
  const most = (statuses: readonly { restartCount: number }[] = []) => Math.max(0, ...statuses.map(one => one.restartCount))
  const sidecars = new Set((spec.initContainers ?? []).filter(one => one.restartPolicy === 'Always').map(one => one.name))
  return [most(status.containerStatuses), most(status.initContainerStatuses?.filter(one => sidecars.has(one.name)))]
}

/** Ages differ when their logarithms do, so that not always the youngest of many Pods is deleted (KEP-2185). */
const ageRank = (time: number, now: number) => (now > time ? Math.trunc(Math.log2((now - time) * 1e6)) : -1)

/**
 * Orders Pods so that those which are missed least come first: what a ReplicaSet deletes. `rank` is the number of active Pods of the same
 * owner's siblings on the Pod's Node: https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/#scaling-a-replicaset
 */
export function byDispensability(rank: (pod: Pod) => number, now: number): (a: Pod, b: Pod) => number {
  return (a, b) => {
    const [nodeA, nodeB] = [a.spec.nodeName ?? '', b.spec.nodeName ?? '']
    if (nodeA !== nodeB && (nodeA === '' || nodeB === '')) return nodeA === '' ? -1 : 1
    const phase = phases.indexOf(a.status.phase ?? '') - phases.indexOf(b.status.phase ?? '')
    if (phase !== 0) return phase
    if (isReady(a) !== isReady(b)) return isReady(a) ? 1 : -1
    const cost = deletionCost(a) - deletionCost(b)
    if (cost !== 0) return cost
    const crowd = rank(b) - rank(a)
    if (crowd !== 0) return crowd
    if (isReady(a)) {
      const order = byAge(readySince(a), readySince(b), a, b, now)
      if (order !== 0) return order
    }
    const [restartsA, sidecarA] = mostRestarts(a)
    const [restartsB, sidecarB] = mostRestarts(b)
    if (restartsA !== restartsB) return restartsB - restartsA
    if (sidecarA !== sidecarB) return sidecarB - sidecarA
    return byAge(timeOf(a.metadata.creationTimestamp), timeOf(b.metadata.creationTimestamp), a, b, now)
  }
}

/** Orders active Pods so that those come first which have come least far: what is deleted where no more is known. */
export function byStage(a: Pod, b: Pod): number {
  const unbound = (pod: Pod) => (pod.spec.nodeName ? 1 : 0)
  if (unbound(a) !== unbound(b)) return unbound(a) - unbound(b)
  const phase = phases.indexOf(a.status.phase ?? '') - phases.indexOf(b.status.phase ?? '')
  if (phase !== 0) return phase
  if (isReady(a) !== isReady(b)) return isReady(a) ? 1 : -1
  if (isReady(a) && readySince(a) !== readySince(b)) return readySince(b) - readySince(a)
  const [restartsA, sidecarA] = mostRestarts(a)
  const [restartsB, sidecarB] = mostRestarts(b)
  if (restartsA !== restartsB) return restartsB - restartsA
  if (sidecarA !== sidecarB) return sidecarB - sidecarA
  return timeOf(b.metadata.creationTimestamp) - timeOf(a.metadata.creationTimestamp)
}

/** The younger first, and those of about the same age by uid. */
function byAge(timeA: number, timeB: number, a: Pod, b: Pod, now: number): number {
  if (timeA === timeB) return 0
  return ageRank(timeA, now) - ageRank(timeB, now) || (a.metadata.uid! < b.metadata.uid! ? -1 : 1)
}
