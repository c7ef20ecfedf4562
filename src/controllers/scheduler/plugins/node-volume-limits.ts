import type { PersistentVolumeClaim, Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { type ClusterObjects, classOf } from '../cluster-objects.js'
import type { NodeState } from '../node-state.js'
import { type Plugin, reject } from '../plugin.js'
import { foreignClaim, podClaims } from '../pod-claims.js'

/** The CSI driver of a claim's volume, and what tells the volume from others of the driver. */
function volumeOf(claim: PersistentVolumeClaim, objects: ClusterObjects): readonly [string, string] | undefined {
  const { volumeName } = claim.spec
  const volume = volumeName ? objects.volumes.get(volumeName) : undefined
  if (volume) return volume.spec.csi && [volume.spec.csi.driver, volume.spec.csi.volumeHandle]
  const storageClass = objects.storageClass(classOf(claim))
  // it will get a volume of its own
  return storageClass && [storageClass.provisioner, `new ${claim.metadata.namespace}/${claim.metadata.name}`]
}

/** Drivers of the Pod's volumes, by volume. */
function driversOf(pod: Pod, objects: ClusterObjects, isNew: boolean): Map<string, string> {
  const drivers = new Map<string, string>()
  const { namespace } = pod.metadata
  for (const { name, isEphemeral } of podClaims(pod)) {
    const claim = objects.claims.get(name, namespace)
    if (!claim) {
      if (isNew) throw new Error(`looking up PVC ${namespace}/${name}: persistentvolumeclaim "${name}" not found`)
      continue
    }
    const foreign = isEphemeral ? foreignClaim(claim, pod) : undefined
    if (foreign) throw new Error(foreign)
    const [driver, handle] = volumeOf(claim, objects) ?? []
    if (driver && handle) drivers.set(`${driver}/${handle}`, driver)
  }
  return drivers
}

function counted(drivers: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const driver of drivers) counts.set(driver, (counts.get(driver) ?? 0) + 1)
  return counts
}

/** The volumes that are attached to the Node, or will be for its Pods. */
function attachedTo({ name, pods }: NodeState, objects: ClusterObjects): Map<string, string> {
  const attached = new Map<string, string>()
  for (const { pod } of pods.values())
    if (pod.spec.volumes?.length) for (const [id, driver] of driversOf(pod, objects, false)) attached.set(id, driver)
  for (const { spec } of objects.attachments(name)) {
    const { persistentVolumeName } = spec.source
    const volume = persistentVolumeName === undefined ? undefined : objects.volumes.get(persistentVolumeName)
    if (volume?.spec.csi) attached.set(`${spec.attacher}/${volume.spec.csi.volumeHandle}`, spec.attacher)
  }
  return attached
}

/** Keeps the volumes of a Node within what its CSI drivers can attach. */
export const nodeVolumeLimits: Plugin = {
  name: 'NodeVolumeLimits',
  check({ pod }, { objects }) {
    if (podClaims(pod).length === 0) return undefined
    let wanted: Map<string, string> | undefined
    const needsInstalled = (driver: string) => objects.csiDriver(driver)?.spec.preventPodSchedulingIfMissing === true
    return {
      filter(node) {
        wanted ??= driversOf(pod, objects, true)
        if (wanted.size === 0) return undefined
        const csiDrivers = objects.csiNode(node.name)?.spec.drivers ?? []
        for (const driver of wanted.values())
          if (needsInstalled(driver) && !csiDrivers.some(({ name }) => name === driver))
            return reject(`${driver} CSI driver is not installed on the node`)
        const limits = csiDrivers.filter(({ allocatable }) => allocatable?.count !== undefined)
        if (limits.length === 0) return undefined
        const attached = attachedTo(node, objects)
        const before = counted(attached.values())
        const more = counted([...wanted].flatMap(([id, driver]) => (attached.has(id) ? [] : [driver])))
        for (const { name, allocatable } of limits)
          if (more.has(name) && (before.get(name) ?? 0) + more.get(name)! > allocatable!.count!)
            return reject('node(s) exceed max volume count')
        return undefined
      }
    }
  },
  mayHelp(event) {
    if (event.on === 'pod') return !event.pod && (event.old?.pod.spec.volumes ?? []).length > 0
    if (event.on === 'node') return !event.old
    if (event.on === 'VolumeAttachment') return !event.object
    return ['CSINode', 'CSIDriver', 'PersistentVolume', 'PersistentVolumeClaim'].includes(event.on)
  }
}
