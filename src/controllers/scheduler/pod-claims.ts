/** The PersistentVolumeClaims that a Pod's volumes stand for. */
import type { PersistentVolumeClaim, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { isControlledBy } from '../workloads/owners.js'

export interface PodClaim {
  readonly name: string
  readonly isEphemeral: boolean
}

export const podClaims = ({ spec, metadata }: Pod): PodClaim[] =>
  (spec.volumes ?? []).flatMap((volume): PodClaim[] => {
    if (volume.persistentVolumeClaim) return [{ name: volume.persistentVolumeClaim.claimName, isEphemeral: false }]
    return volume.ephemeral ? [{ name: `${metadata.name}-${volume.name}`, isEphemeral: true }] : []
  })

/** Why the claim of an ephemeral volume is not the Pod's. */
export const foreignClaim = (claim: PersistentVolumeClaim, pod: Pod): string | undefined =>
  isControlledBy(claim, pod)
    ? undefined
    : `PVC ${claim.metadata.namespace}/${claim.metadata.name} was not created for pod ${pod.metadata.namespace}/${pod.metadata.name} (pod is not owner)`

const bindCompleted = 'pv.kubernetes.io/bind-completed'

export const isBound = ({ spec, metadata }: PersistentVolumeClaim): boolean =>
  !!spec.volumeName && metadata.annotations?.[bindCompleted] !== undefined
