/** Deletes Pods that nobody else will: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-garbage-collection */
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { hasEnded } from '../workloads/pods.js'
import { disruptionPatch } from './disruption-target.js'
import { readyOf } from './node-health.js'

const checkMs = 20_000
/** For how long a Node is missing until its Pods are deleted. */
const quarantineMs = 40_000
/** kube-controller-manager's --terminated-pod-gc-threshold. */
export const mostEnded = 12_500
const outOfService = 'node.kubernetes.io/out-of-service'

const round = ''

export function podGarbageCollector(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf('pod-garbage-collector')
  const pods: Informer<Pod & KubeObject> = informers.of('v1', 'Pod')
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const objects = client.of('v1', 'Pod')
  /** Since when Nodes are missing that Pods name. */
  const missing = new Map<string, number>()
  const queue = context.queue({ name: 'orphaned_pods_nodes', workers: 1, reconcile })
  queue.enqueue(round)
  return queue

  async function reconcile(): Promise<number> {
    const all = pods.list()
    for (const pod of surplus(all, mostEnded)) await remove(pod)
    for (const pod of all) {
      if (!pod.metadata.deletionTimestamp) continue
      const node = pod.spec.nodeName ? nodes.get(pod.spec.nodeName) : undefined
      const isLost = node && readyOf(node)?.status !== 'True' && node.spec.taints?.some(({ key }) => key === outOfService)
      if (!pod.spec.nodeName || isLost) await remove(pod)
    }
    const gone = await goneNodes(all)
    for (const pod of all) if (gone.has(pod.spec.nodeName ?? '')) await remove(pod, 'PodGC: node no longer exists')
    return checkMs
  }

  async function goneNodes(all: readonly Pod[]): Promise<ReadonlySet<string>> {
    const now = clock.now()
    const names = new Set(all.flatMap(({ spec: { nodeName } }) => (nodeName && !nodes.get(nodeName) ? [nodeName] : [])))
    for (const name of missing.keys()) if (!names.has(name)) missing.delete(name)
    const gone = new Set<string>()
    for (const name of names) {
      const since = missing.get(name)
      if (since === undefined) missing.set(name, now)
      else if (now - since >= quarantineMs && !(await client.of('v1', 'Node').find(name))) gone.add(name)
    }
    return gone
  }

  /** Deletes the Pod at once; one that has not ended has failed. */
  async function remove(pod: Pod & KubeObject, message?: string): Promise<void> {
    const { uid, generation } = pod.metadata
    try {
      if (!hasEnded(pod.status.phase)) {
        const status = { phase: 'Failed', observedGeneration: generation }
        const patch = message
          ? disruptionPatch(pod, { reason: 'DeletionByPodGC', message }, clock.now(), status)
          : ({ metadata: { uid }, status } as Draft<Pod & KubeObject>)
        await objects.subresource('status').patch(pod, patch, { type: 'strategic' })
      }
      await objects.delete(pod, { gracePeriodSeconds: 0 })
    } catch (error) {
      // it is gone, or the next round finds it again
      if (!(error instanceof StatusError)) throw error
    }
  }
}

/** The Pods that have ended beyond so many: those that a Node has evicted first, and then the oldest. */
export function surplus<P extends Pod>(pods: readonly P[], most: number): P[] {
  const ended = pods.filter(({ status: { phase } }) => phase !== 'Pending' && phase !== 'Running' && phase !== 'Unknown')
  if (ended.length <= most) return []
  const isEvicted = ({ status }: Pod) => status.phase === 'Failed' && status.reason === 'Evicted'
  const order = (a: string, b: string) => (a < b ? -1 : Number(a > b))
  return ended
    .sort(
      (a, b) =>
        Number(isEvicted(b)) - Number(isEvicted(a)) ||
        order(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
        order(a.metadata.name!, b.metadata.name!)
    )
    .slice(0, ended.length - most)
}
