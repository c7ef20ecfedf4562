/** What controllers ask of claims and volumes: https://kubernetes.io/docs/concepts/storage/persistent-volumes/ */
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimCondition,
  Pod,
  Volume
} from '../../apimachinery/api/generated/core-v1.js'
import type { StorageClass } from '../../apimachinery/api/generated/storage-v1.js'
import { controllerOf, keyOf } from '../workloads/owners.js'

export const annotations = {
  bindCompleted: 'pv.kubernetes.io/bind-completed',
  boundByController: 'pv.kubernetes.io/bound-by-controller',
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  provisioner: 'volume.kubernetes.io/storage-provisioner',
  betaProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  selectedNode: 'volume.kubernetes.io/selected-node',
  betaClass: 'volume.beta.kubernetes.io/storage-class',
  defaultClass: 'storageclass.kubernetes.io/is-default-class',
  betaDefaultClass: 'storageclass.beta.kubernetes.io/is-default-class'
} as const

export const hasAnnotation = ({ metadata }: PersistentVolume | PersistentVolumeClaim, name: string): boolean =>
  metadata.annotations?.[name] !== undefined

/** The class of a claim or volume; empty for none. */
export const classOf = ({ metadata, spec }: PersistentVolume | PersistentVolumeClaim): string =>
  metadata.annotations?.[annotations.betaClass] ?? spec.storageClassName ?? ''

/** Whether a claim says which class it wants, be it none. */
export const namesClass = (claim: PersistentVolumeClaim): boolean =>
  hasAnnotation(claim, annotations.betaClass) || claim.spec.storageClassName !== undefined

const isDefault = ({ metadata }: StorageClass) =>
  metadata.annotations?.[annotations.defaultClass] === 'true' || metadata.annotations?.[annotations.betaDefaultClass] === 'true'

/** The class of claims that name none: the youngest of those that say so. */
export function defaultClassOf(classes: readonly StorageClass[]): StorageClass | undefined {
  const created = ({ metadata }: StorageClass) => Date.parse(metadata.creationTimestamp ?? '')
  const [first] = classes
    .filter(isDefault)
    .sort((a, b) => created(b) - created(a) || (a.metadata.name! < b.metadata.name! ? -1 : 1))
  return first
}

/** Whether the volume is meant for the claim: bound to it, or reserved for one of its name. */
export function isReservedFor({ spec: { claimRef } }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  if (claimRef?.name !== metadata.name || claimRef?.namespace !== metadata.namespace) return false
  return !claimRef?.uid || claimRef.uid === metadata.uid
}

export const claimKeyOf = ({ spec: { claimRef } }: PersistentVolume): string | undefined =>
  claimRef && `${claimRef.namespace}/${claimRef.name}`

/** The name of the claim behind a Pod's volume; undefined for other volumes. */
export function claimNameOf({ metadata }: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  return persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined)
}

/** The keys of the claims that a Pod uses. */
export const claimKeysOf = (pod: Pod): string[] =>
  (pod.spec.volumes ?? []).flatMap(volume => {
    const name = claimNameOf(pod, volume)
    return name === undefined ? [] : [`${pod.metadata.namespace}/${name}`]
  })

/** Why the claim is not that of the Pod's ephemeral volume; undefined when it is. */
export function notMadeFor(pod: Pod, claim: PersistentVolumeClaim): string | undefined {
  if (controllerOf(claim)?.uid === pod.metadata.uid) return undefined
  return `PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`
}

export const claimCondition = ({ status }: PersistentVolumeClaim, type: string): PersistentVolumeClaimCondition | undefined =>
  status.conditions?.find(condition => condition.type === type)
