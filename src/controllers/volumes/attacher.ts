/** Attaches volumes to simulated Nodes, as the program does that CSI drivers bring along. */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import type { CSIDriver, VolumeAttachment } from '../../apimachinery/api/generated/storage-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import { timestamp } from '../../util/time.js'
import { annotationDomain } from '../kubelet/behavior.js'
import { isSimulated } from '../kubelet/nodes.js'
import type { ClusterContext } from '../simulation/cluster-context.js'

type Attachment = VolumeAttachment & KubeObject

/** The annotation of a CSIDriver whose volumes cannot be attached: why. */
const attachError = `${annotationDomain}/attach-error`

export function volumeAttacher(context: ClusterContext): Part {
  const { informers, clock } = context
  const client = context.clientAs('system:serviceaccount:kube-system:simulated-attacher', 'simulated-attacher')
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const drivers: Informer<CSIDriver> = informers.of('storage.k8s.io/v1', 'CSIDriver')
  const attachments: Informer<Attachment> = informers.of('storage.k8s.io/v1', 'VolumeAttachment')
  const ofDriver = attachments.index(({ spec }) => [spec.attacher])
  const queue = context.queue({ name: 'simulated-attacher', workers: 4, reconcile })
  const changed = ({ metadata }: Attachment) => queue.enqueue(metadata.name!)
  attachments.on('add', changed)
  attachments.on('update', changed)
  drivers.on('update', ({ metadata }) => ofDriver(metadata.name!).forEach(changed))
  return queue

  async function reconcile(name: string): Promise<void> {
    const attachment = attachments.get(name)
    const node = attachment && nodes.get(attachment.spec.nodeName)
    if (!attachment || attachment.status?.attached || !node || !isSimulated(node)) return
    const message = drivers.get(attachment.spec.attacher)?.metadata.annotations?.[attachError]
    if (message !== undefined && attachment.status?.attachError?.message === message) return
    const status =
      message === undefined ? { attached: true } : { attached: false, attachError: { message, time: timestamp(clock.now()) } }
    const next = { ...attachment, status } as Draft<Attachment>
    attachments.learn(await client.of('storage.k8s.io/v1', 'VolumeAttachment').subresource('status').update(attachment, next))
  }
}
