import type { PersistentVolume } from '../../../apimachinery/api/generated/core-v1.js'
import { classOf } from '../cluster-objects.js'
import { labelOf, labelsOf } from '../labels.js'
import { type Plugin, rejectForGood } from '../plugin.js'

/** Labels of volumes and Nodes, and today's names of the old ones. */
const today: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region': 'topology.kubernetes.io/region'
}

interface Place {
  readonly key: string
  readonly values: ReadonlySet<string>
}

/** A volume may be in several zones: `a__b`. */
const placesOf = (volume: PersistentVolume): Place[] =>
  Object.entries(labelsOf(volume))
    .filter(([key]) => Object.hasOwn(today, key))
    .map(([key, value]) => ({ key, values: new Set(value.split('__').map(part => part.trim())) }))

/** Keeps Pods in the zones of their volumes. */
export const volumeZone: Plugin = {
  name: 'VolumeZone',
  check({ pod, claims }, { objects }) {
    const places: Place[] = []
    for (const key of claims) {
      const name = key.slice(key.indexOf('/') + 1)
      const claim = objects.claims.get(name, pod.metadata.namespace)
      if (!claim) return rejectForGood(`persistentvolumeclaim "${name}" not found`)
      const { volumeName } = claim.spec
      if (volumeName) {
        const volume = objects.volumes.get(volumeName)
        if (!volume) return rejectForGood(`persistentvolume "${volumeName}" not found`)
        places.push(...placesOf(volume))
        continue
      }
      const className = classOf(claim)
      if (!className) return rejectForGood('PersistentVolumeClaim had no pv name and storageClass name')
      const storageClass = objects.storageClass(className)
      if (!storageClass) return rejectForGood(`storageclass.storage.k8s.io "${className}" not found`)
      if (storageClass.volumeBindingMode !== 'WaitForFirstConsumer') return rejectForGood('PersistentVolume had no name')
    }
    if (places.length === 0) return undefined
    return {
      filter({ labels }) {
        if (!Object.keys(today).some(key => labelOf(labels, key) !== undefined)) return undefined
        const isThere = ({ key, values }: Place) => {
          const value = labelOf(labels, key) ?? labelOf(labels, today[key]!)
          return value !== undefined && values.has(value)
        }
        return places.every(isThere) ? undefined : rejectForGood('node(s) had no available volume zone')
      }
    }
  },
  mayHelp(event) {
    if (event.on === 'node') return !!event.node
    return ['StorageClass', 'PersistentVolumeClaim', 'PersistentVolume'].includes(event.on)
  }
}
