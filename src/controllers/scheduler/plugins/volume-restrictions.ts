import type { Pod, Volume } from '../../../apimachinery/api/generated/core-v1.js'
import type { NodeState } from '../node-state.js'
import { type Plugin, reject, rejectForGood } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'

const isRestricted = ({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Volume): boolean =>
  !!(gcePersistentDisk || awsElasticBlockStore || iscsi || rbd)

const bothRead = (a: { readOnly?: boolean | undefined }, b: { readOnly?: boolean | undefined }) => a.readOnly && b.readOnly

/** Whether two Pods of one Node cannot have the volumes both. */
function conflict(a: Volume, b: Volume): boolean {
  if (a.gcePersistentDisk && b.gcePersistentDisk && a.gcePersistentDisk.pdName === b.gcePersistentDisk.pdName)
    return !bothRead(a.gcePersistentDisk, b.gcePersistentDisk)
  if (a.awsElasticBlockStore && b.awsElasticBlockStore) return a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore.volumeID
  if (a.iscsi && b.iscsi) return a.iscsi.iqn === b.iscsi.iqn && !bothRead(a.iscsi, b.iscsi)
  if (!a.rbd || !b.rbd) return false
  const monitors = new Set(a.rbd.monitors)
  const isShared = (b.rbd.monitors ?? []).some(monitor => monitors.has(monitor))
  return isShared && a.rbd.pool === b.rbd.pool && a.rbd.image === b.rbd.image && !bothRead(a.rbd, b.rbd)
}

const conflictsWith = (restricted: readonly Volume[], { spec }: Pod): boolean =>
  (spec.volumes ?? []).some(volume => restricted.some(own => conflict(own, volume)))

const restrictedOf = ({ spec }: Pod): Volume[] => (spec.volumes ?? []).filter(isRestricted)

/** Keeps Pods apart whose volumes allow only one of them. */
export const volumeRestrictions: Plugin = {
  name: 'VolumeRestrictions',
  check({ pod, claims }, cluster) {
    const restricted = restrictedOf(pod)
    const exclusive = new Set<string>()
    for (const key of claims) {
      const [namespace, name] = key.split('/')
      const claim = cluster.objects.claims.get(name!, namespace)
      if (!claim) return rejectForGood(`persistentvolumeclaim "${name}" not found`)
      if (claim.spec.accessModes?.includes('ReadWriteOncePod')) exclusive.add(key)
    }
    let users = [...exclusive].filter(key => cluster.usesOf(key) > 0).length
    if (restricted.length === 0 && users === 0) return undefined
    const uses = ({ claims: theirs }: PodInfo) => theirs.filter(key => exclusive.has(key)).length
    return {
      added: other => void (users += uses(other)),
      removed: other => void (users -= uses(other)),
      filter({ pods }: NodeState) {
        if (restricted.length > 0)
          for (const { pod: other } of pods.values())
            if (conflictsWith(restricted, other)) return reject('node(s) had no available disk')
        if (users <= 0) return undefined
        return reject(
          'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod'
        )
      }
    }
  },
  mayHelp(event, { pod, claims }) {
    if (event.on === 'node') return !event.old
    if (event.on === 'PersistentVolumeClaim')
      return !event.old && claims.includes(`${event.object!.metadata.namespace}/${event.object!.metadata.name}`)
    if (event.on !== 'pod' || event.pod || !event.old) return false
    return event.old.claims.some(key => claims.includes(key)) || conflictsWith(restrictedOf(pod), event.old.pod)
  }
}
