/** Volumes that have to be attached to a Node before they can be mounted: those of CSI drivers that do not say otherwise. */
import { createHash } from 'node:crypto'
import type {
  CSIPersistentVolumeSource,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod
} from '../../apimachinery/api/generated/core-v1.js'
import type { CSIDriver } from '../../apimachinery/api/generated/storage-v1.js'
import type { Informer } from '../../client/stored-types.js'
import type { ClusterContext } from '../simulation/cluster-context.js'
import { claimNameOf } from './claims.js'

/** The name of a volume in the status of Nodes. */
export const attachedName = ({ driver, volumeHandle }: CSIPersistentVolumeSource): string =>
  `kubernetes.io/csi/${driver}^${volumeHandle}`

/** The name of the VolumeAttachment for a volume and a Node. */
export function attachmentName({ driver, volumeHandle }: CSIPersistentVolumeSource, node: string): string {
  return `csi-${createHash('sha256').update(`${volumeHandle}${driver}${node}`).digest('hex')}`
}

/** The volumes of Pods, and which of them have to be attached. */
export class AttachableVolumes {
  readonly drivers: Informer<CSIDriver>
  readonly #volumes: Informer<PersistentVolume>
  readonly #claims: Informer<PersistentVolumeClaim>

  constructor({ informers }: ClusterContext) {
    this.drivers = informers.of('storage.k8s.io/v1', 'CSIDriver')
    this.#volumes = informers.of('v1', 'PersistentVolume')
    this.#claims = informers.of('v1', 'PersistentVolumeClaim')
  }

  /** The volumes of the Pod's bound claims that have to be attached. */
  of(pod: Pod): PersistentVolume[] {
    const { namespace } = pod.metadata
    return (pod.spec.volumes ?? []).flatMap(volume => {
      const name = claimNameOf(pod, volume)
      const claim = name === undefined ? undefined : this.#claims.get({ metadata: { name, namespace } })
      const found = claim && this.behind(claim)
      return found && this.#hasToBeAttached(found) ? [found] : []
    })
  }

  behind({ spec, status }: PersistentVolumeClaim): PersistentVolume | undefined {
    return spec.volumeName && status.phase === 'Bound' ? this.#volumes.get(spec.volumeName) : undefined
  }

  /** Whether nothing keeps a Node from mounting the volume. */
  isAttached(volume: PersistentVolume | undefined, node: Node): boolean {
    if (!volume || !this.#hasToBeAttached(volume)) return true
    return !!node.status.volumesAttached?.some(({ name }) => name === attachedName(volume.spec.csi!))
  }

  #hasToBeAttached({ spec }: PersistentVolume): boolean {
    return !!spec.csi && this.drivers.get(spec.csi.driver)?.spec.attachRequired !== false
  }
}
