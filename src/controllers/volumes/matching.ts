/** Which volume a claim gets: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding */
import type { PersistentVolume, PersistentVolumeClaim } from '../../apimachinery/api/generated/core-v1.js'
import { type LabelSelector, labelSelectorMatcher } from '../../apimachinery/selectors/labels.js'
import { compareQuantities, integerValue, parseQuantity } from '../../util/quantity.js'
import { classOf, isReservedFor } from './claims.js'

const modeOf = ({ spec }: PersistentVolume | PersistentVolumeClaim) => spec.volumeMode ?? 'Filesystem'
const attributesOf = ({ spec }: PersistentVolume | PersistentVolumeClaim) => spec.volumeAttributesClassName ?? ''
const sizeOf = ({ spec }: PersistentVolume) => spec.capacity?.storage ?? '0'
const requestOf = ({ spec }: PersistentVolumeClaim) => spec.resources?.requests?.storage ?? '0'

export const haveSameMode = (volume: PersistentVolume, claim: PersistentVolumeClaim): boolean => modeOf(volume) === modeOf(claim)

const hasModes = ({ spec }: PersistentVolume, claim: PersistentVolumeClaim) =>
  (claim.spec.accessModes ?? []).every(mode => spec.accessModes?.includes(mode))

/**
 * Returns the volume for a claim: one that is reserved for it, or the smallest that suffices among those with the fewest access modes.
 * With `waits`, the claim gets only what is reserved for it, because the scheduler chooses.
 */
export function volumeFor(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  waits: boolean
): PersistentVolume | undefined {
  const suitable = volumes.filter(volume => hasModes(volume, claim))
  for (const count of [...new Set(suitable.map(modeCount))].sort()) {
    const alike = suitable.filter(volume => modeCount(volume) === count)
    const found = bestOf(claim, alike, waits)
    if (found) return found
  }
  return undefined
}

/** There are four access modes at most. */
const modeCount = ({ spec }: PersistentVolume) => new Set(spec.accessModes).size

function bestOf(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
  waits: boolean
): PersistentVolume | undefined {
  const { selector } = claim.spec
  const selects = selector ? labelSelectorMatcher(selector as LabelSelector) : () => true
  let best: PersistentVolume | undefined
  for (const volume of volumes) {
    const isReserved = isReservedFor(volume, claim)
    if (volume.spec.claimRef && !isReserved) continue
    if (volume.metadata.deletionTimestamp || !haveSameMode(volume, claim)) continue
    if (attributesOf(volume) !== attributesOf(claim) || compareQuantities(sizeOf(volume), requestOf(claim)) < 0) continue
    if (isReserved) return volume
    if (waits || volume.status.phase !== 'Available') continue
    if (classOf(volume) !== classOf(claim) || !selects(volume.metadata.labels ?? {})) continue
    if (!best || compareQuantities(sizeOf(best), sizeOf(volume)) > 0) best = volume
  }
  return best
}

/** Why a claim cannot have the volume that it names; undefined when it can. */
export function mismatchOf(volume: PersistentVolume, claim: PersistentVolumeClaim): string | undefined {
  const bytes = (text: string) => integerValue(parseQuantity(text))
  if (volume.metadata.deletionTimestamp) return `the volume is marked for deletion "${volume.metadata.name}"`
  if (bytes(sizeOf(volume)) < bytes(requestOf(claim))) return 'requested PV is too small'
  if (classOf(volume) !== classOf(claim)) return 'storageClassName does not match'
  if (attributesOf(volume) !== attributesOf(claim)) return 'volumeAttributesClassName does not match'
  if (!haveSameMode(volume, claim)) return 'incompatible volumeMode'
  if (!hasModes(volume, claim)) return 'incompatible accessMode'
  return undefined
}
