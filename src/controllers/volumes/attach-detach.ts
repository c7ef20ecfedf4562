/** Lets the volumes of Pods be attached to their Nodes, and detached when no Pod needs them any more. */
import { isDeepStrictEqual } from 'node:util'
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { VolumeAttachment } from '../../apimachinery/api/generated/storage-v1.js'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import type { Draft, Informer } from '../../client/stored-types.js'
import type { Part } from '../../util/part.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { keyOf, unlessGone } from '../workloads/owners.js'
import { hasEnded } from '../workloads/pods.js'
import { AttachableVolumes, attachedName, attachmentName } from './attachments.js'
import { claimKeyOf, claimKeysOf } from './claims.js'

type Attachment = VolumeAttachment & KubeObject

export function attachDetachController(context: ClusterContext): Part {
  const { informers } = context
  const client = context.clientOf('attachdetach-controller')
  const pods: Informer<Pod> = informers.of('v1', 'Pod')
  const nodes: Informer<Node> = informers.of('v1', 'Node')
  const claims: Informer<PersistentVolumeClaim> = informers.of('v1', 'PersistentVolumeClaim')
  const attachments: Informer<Attachment> = informers.of('storage.k8s.io/v1', 'VolumeAttachment')
  const attachmentClient = client.of('storage.k8s.io/v1', 'VolumeAttachment')
  const attachable = new AttachableVolumes(context)
  const events = context.recorder('attachdetach-controller', client)
  const podsOnNode = pods.index(({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
  const podsOfClaim = pods.index(claimKeysOf)
  const onNode = attachments.index(({ spec }) => [spec.nodeName])
  const ofVolume = attachments.index(({ spec }) => [spec.source.persistentVolumeName ?? ''])
  /** What Pods have been told about their volumes last, by their uid. */
  const told = new Map<string, Map<string, string>>()

  const queue = context.queue({ name: 'attachdetach', workers: 4, reconcile })
  const podChanged = (pod: Pod) => {
    if (pod.spec.nodeName && claimKeysOf(pod).length > 0) queue.enqueue(pod.spec.nodeName)
  }
  const attachmentChanged = ({ spec }: Attachment) => {
    queue.enqueue(spec.nodeName)
    // another Node may have waited for the volume
    for (const one of waitersFor(spec.source.persistentVolumeName)) podChanged(one)
  }
  for (const event of ['add', 'update', 'delete'] as const) {
    pods.on(event as 'add', podChanged)
    attachments.on(event as 'add', attachmentChanged)
  }
  pods.on('delete', ({ metadata }) => told.delete(metadata.uid!))
  claims.on('update', claim => podsOfClaim(keyOf(claim)).forEach(podChanged))
  nodes.on('update', (node, old) => {
    if (!isDeepStrictEqual(node.status.volumesInUse, old.status.volumesInUse)) queue.enqueue(node.metadata.name!)
  })
  return queue

  function waitersFor(volumeName: string | undefined): Pod[] {
    const key = volumeName
      ? claimKeyOf(informers.of('v1', 'PersistentVolume').get(volumeName) ?? ({ spec: {} } as PersistentVolume))
      : undefined
    return key ? podsOfClaim(key) : []
  }

  async function reconcile(nodeName: string): Promise<void> {
    const node = nodes.get(nodeName)
    if (!node) return
    const users = new Map<string, { volume: PersistentVolume; pods: Pod[] }>()
    for (const pod of podsOnNode(nodeName)) {
      if (hasEnded(pod.status.phase)) continue
      for (const volume of attachable.of(pod)) {
        const name = attachmentName(volume.spec.csi!, nodeName)
        const known = users.get(name)
        if (known) known.pods.push(pod)
        else users.set(name, { volume, pods: [pod] })
      }
    }
    for (const [name, { volume, pods: waiting }] of users)
      if (!attachments.get(name)) await attach(name, volume, nodeName, waiting)
    const present = onNode(nodeName)
    const attached = present.filter(({ metadata, status }) => status.attached && users.has(metadata.name!))
    await writeAttached(
      node,
      attached.map(({ metadata }) => attachedName(users.get(metadata.name!)!.volume.spec.csi!))
    )
    for (const { metadata, status } of present) {
      const use = users.get(metadata.name!)
      if (!use) await detach(metadata.name!, node, present)
      else for (const pod of use.pods) report(pod, use.volume, status)
    }
  }

  async function attach(name: string, volume: PersistentVolume, nodeName: string, waiting: readonly Pod[]): Promise<void> {
    const persistentVolumeName = volume.metadata.name!
    const isShared = volume.spec.accessModes?.some(mode => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany')
    const [other] = isShared ? [] : ofVolume(persistentVolumeName)
    if (other) return refuse(volume, other.spec.nodeName, waiting)
    const spec = { attacher: volume.spec.csi!.driver, nodeName, source: { persistentVolumeName } }
    attachments.learn(await attachmentClient.create({ metadata: { name }, spec } as Draft<Attachment>))
  }

  /** A volume for one Node is still attached to another. */
  function refuse(volume: PersistentVolume, other: string, waiting: readonly Pod[]): void {
    const users = waitersFor(volume.metadata.name).filter(({ spec }) => spec.nodeName === other)
    const reason =
      users.length > 0
        ? `Volume is already used by pod(s) ${users.map(({ metadata }) => metadata.name).join(', ')}`
        : "Volume is already exclusively attached to one node and can't be attached to another"
    for (const pod of waiting)
      tell(pod, volume, 'FailedAttachVolume', `Multi-Attach error for volume "${volume.metadata.name}" ${reason}`)
  }

  function report(pod: Pod, volume: PersistentVolume, { attached, attachError }: Attachment['status']): void {
    const { name } = volume.metadata
    if (attached) tell(pod, volume, 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${name}" `)
    else if (attachError)
      tell(pod, volume, 'FailedAttachVolume', `AttachVolume.Attach failed for volume "${name}" : ${attachError.message}`)
  }

  function tell(pod: Pod, volume: PersistentVolume, reason: string, message: string): void {
    const { uid } = pod.metadata
    if (!told.has(uid!)) told.set(uid!, new Map())
    const last = told.get(uid!)!
    if (last.get(volume.metadata.name!) === message) return
    last.set(volume.metadata.name!, message)
    if (reason === 'SuccessfulAttachVolume') {
      // a Pod that runs has been told before this server started
      if (pod.status.phase === 'Pending') events.normal(pod, reason, message)
    } else events.warning(pod, reason, message)
  }

  /** Deletes an attachment, when the kubelet does not use the volume any more. */
  async function detach(name: string, node: Node, present: readonly Attachment[]): Promise<void> {
    const attachment = present.find(({ metadata }) => metadata.name === name)!
    const volume = informers.of('v1', 'PersistentVolume').get(attachment.spec.source.persistentVolumeName ?? '')
    const used = volume?.spec.csi && node.status.volumesInUse?.includes(attachedName(volume.spec.csi))
    if (!used && !attachment.metadata.deletionTimestamp) await unlessGone(() => attachmentClient.delete(name))
  }

  async function writeAttached(node: Node, names: readonly string[]): Promise<void> {
    const volumesAttached = [...names].sort().map(name => ({ name, devicePath: '' }))
    if (isDeepStrictEqual(node.status.volumesAttached ?? [], volumesAttached)) return
    const status = { volumesAttached } as Draft<Node['status']>
    nodes.learn(await client.of('v1', 'Node').subresource('status').patch(node, { status }, { type: 'strategic' }))
  }
}
