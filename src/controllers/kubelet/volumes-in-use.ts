/** Reports which attached volumes the Pods of simulated Nodes use, so that nobody detaches them. */
import { isDeepStrictEqual } from 'node:util'
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { Draft, Informer, KubeClient } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { AttachableVolumes, attachedName } from '../volumes/attachments.js'
import { claimKeysOf } from '../volumes/claims.js'
import { hasEnded } from '../workloads/pods.js'
import { isSimulated } from './nodes.js'

export function volumesInUse(context: ClusterContext, clientOf: (node: string) => KubeClient): Part {
  const { informers } = context
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const attachable = new AttachableVolumes(context)
  const onNode = pods.index(({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
  const queue = context.queue({ name: 'kubelet-volumes', workers: 4, reconcile })
  const changed = (pod: Pod) => {
    if (pod.spec.nodeName && claimKeysOf(pod).length > 0) queue.enqueue(pod.spec.nodeName)
  }
  for (const event of ['add', 'update', 'delete'] as const) pods.on(event as 'add', changed)
  return queue

  async function reconcile(name: string): Promise<void> {
    const node = nodes.get(name)
    if (!node || !isSimulated(node)) return
    const running = onNode(name).filter(({ status }) => !hasEnded(status.phase))
    const used = new Set(running.flatMap(pod => attachable.of(pod).map(({ spec }) => attachedName(spec.csi!))))
    const inUse = [...used].sort()
    if (isDeepStrictEqual(node.status.volumesInUse ?? [], inUse)) return
    const status = { volumesInUse: inUse } as Draft<Node['status']>
    const written = await clientOf(name).of('v1', 'Node').subresource('status').patch(name, { status }, { type: 'strategic' })
    nodes.learn(written)
  }
}
