/** Which PersistentVolume suits a claim: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding */
import type { PersistentVolume, PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import { labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'
import { classOf } from './cluster-objects.js'
import { labelsOf } from './labels.js'
import { nodeMatcher, type Selectable } from './node-selector.js'
import { amountOf } from './resources.js'

export const sizeOf = ({ spec }: PersistentVolumeClaim): number => amountOf('storage', spec.resources.requests?.storage ?? '0')

export const capacityOf = ({ spec }: PersistentVolume): number => amountOf('storage', spec.capacity?.storage ?? '0')

export function isReachable({ spec }: PersistentVolume, node: Selectable): boolean {
  const required = spec.nodeAffinity?.required
  return !required || nodeMatcher(required)(node)
}

/** Whether the volume is reserved for the claim. */
export function isReservedFor({ spec: { claimRef } }: PersistentVolume, { metadata }: PersistentVolumeClaim): boolean {
  if (!claimRef || claimRef.name !== metadata.name || claimRef.namespace !== metadata.namespace) return false
  return !claimRef.uid || claimRef.uid === metadata.uid
}

/** Returns the smallest volume that the claim can have on the Node; one that is reserved for it goes first. */
export function matchingVolume(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  node: Selectable,
  isChosen: (volume: PersistentVolume) => boolean
): PersistentVolume | undefined {
  const size = sizeOf(claim)
  const { selector, accessModes, volumeMode = 'Filesystem', volumeAttributesClassName } = claim.spec
  const matches = selector ? labelSelectorMatcher(selector) : () => true
  let smallest: PersistentVolume | undefined
  for (const volume of volumes) {
    const { spec, status, metadata } = volume
    if (isChosen(volume) || capacityOf(volume) < size || metadata.deletionTimestamp) continue
    if (spec.claimRef && !isReservedFor(volume, claim)) continue
    if ((spec.volumeMode ?? 'Filesystem') !== volumeMode) continue
    if ((spec.volumeAttributesClassName ?? '') !== (volumeAttributesClassName ?? '')) continue
    if (isReservedFor(volume, claim)) return isReachable(volume, node) ? volume : undefined
    if (status.phase !== 'Available' || !matches(labelsOf(volume)) || classOf(volume) !== classOf(claim)) continue
    if (!isReachable(volume, node) || !(accessModes ?? []).every(mode => spec.accessModes?.includes(mode))) continue
    if (!smallest || capacityOf(volume) < capacityOf(smallest)) smallest = volume
  }
  return smallest
}
