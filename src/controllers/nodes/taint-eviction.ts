/** Deletes Pods from Nodes with taints that they do not tolerate, or not any longer. */

import { isDeepStrictEqual } from 'node:util'
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { StatusError } from '../../apimachinery/status/status.js'
import type { Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, namedBy } from '../workloads/owners.js'
import { disruptionPatch } from './disruption-target.js'
import { executionTaints, toleratedMs } from './taints.js'

/** When a Pod is deleted; undefined for one that has been. */
interface Deletion {
  readonly uid: string
  readonly at: number | undefined
}

export function taintEvictionController(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientOf('node-controller')
  const events = context.recorder('taint-eviction-controller', client)
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const pods: Informer<Pod & KubeObject> = informers.of('v1', 'Pod')
  const objects = client.of('v1', 'Pod')
  const onNode = pods.index(({ spec }) => [spec.nodeName ?? ''])
  const deletions = new Map<string, Deletion>()
  /** The Pods for which something has changed: all others only wait for their time. */
  const changed = new Set<string>()
  const queue = context.queue({ name: 'noexec_taint_pod', workers: 8, reconcile })
  const look = (pod: Pod) => {
    changed.add(keyOf(pod))
    queue.enqueue(keyOf(pod))
  }
  pods.on('add', look)
  pods.on('delete', look)
  pods.on('update', (pod, old) => {
    if (pod.spec.nodeName !== old.spec.nodeName || !isDeepStrictEqual(pod.spec.tolerations, old.spec.tolerations)) look(pod)
  })
  const lookAt = ({ metadata }: Node) => onNode(metadata.name!).forEach(look)
  nodes.on('add', node => executionTaints(node).length > 0 && lookAt(node))
  nodes.on('update', (node, old) => {
    if (!isDeepStrictEqual(executionTaints(node), executionTaints(old))) lookAt(node)
  })
  return queue

  async function reconcile(key: string): Promise<number | undefined> {
    const pod = pods.get(namedBy(key))
    const deletion = deletions.get(key)
    const now = clock.now()
    if (!pod || (deletion && deletion.uid !== pod.metadata.uid)) cancel(key)
    if (!pod) {
      changed.delete(key)
      return undefined
    }
    if (changed.delete(key)) decide(key, pod, now)
    const at = deletions.get(key)?.at
    if (at === undefined) return undefined
    if (at > now) return at - now
    events.normal(referenceOf(key), 'TaintManagerEviction', `Marking for deletion Pod ${key}`)
    await evict(pod)
    deletions.set(key, { uid: pod.metadata.uid!, at: undefined })
    return undefined
  }

  function decide(key: string, pod: Pod, now: number): void {
    const node = pod.spec.nodeName ? nodes.get(pod.spec.nodeName) : undefined
    const taints = node ? executionTaints(node) : []
    const tolerated = toleratedMs(taints, pod.spec.tolerations)
    const planned = deletions.get(key)?.at
    if (tolerated === Number.POSITIVE_INFINITY) return cancel(key)
    // a later taint does not begin the time anew
    if (tolerated > 0 && planned !== undefined) return
    cancel(key)
    deletions.set(key, { uid: pod.metadata.uid!, at: now + tolerated })
  }

  function cancel(key: string): void {
    const deletion = deletions.get(key)
    deletions.delete(key)
    if (deletion?.at !== undefined) events.normal(referenceOf(key), 'TaintManagerEviction', `Cancelling deletion of Pod ${key}`)
  }

  async function evict(pod: Pod & KubeObject): Promise<void> {
    const why = { reason: 'DeletionByTaintManager', message: 'Taint manager: deleting due to NoExecute taint' }
    try {
      await objects.subresource('status').patch(pod, disruptionPatch(pod, why, clock.now()), { type: 'strategic' })
      await objects.delete(pod)
    } catch (error) {
      if (!(error instanceof StatusError) || (error.code !== 404 && error.code !== 409)) throw error
    }
  }
}

function referenceOf(key: string) {
  const { metadata } = namedBy(key)
  return { apiVersion: 'v1', kind: 'Pod', metadata }
}
