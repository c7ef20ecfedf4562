/** Ownership of replicas that change through the scale subresource. */
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import type { FieldTree } from './fields-v1.js'
import { byOrder, distinct, type Manager, withoutTaken } from './managed-fields.js'

/** The path of replicas in a Scale, and in most kinds. */
const ofScale: readonly string[] = ['spec', 'replicas']

/** The path of an object's replicas, in the version of a request and in the versions of its entries. */
export interface ReplicasPlace {
  readonly own: readonly string[]
  /** Undefined for a version without a Scale. */
  of(apiVersion: string | undefined): readonly string[] | undefined
}

const everywhere: ReplicasPlace = { own: ofScale, of: () => ofScale }

/** Returns the set of one field. */
const treeOf = (path: readonly string[]): FieldTree =>
  path.reduceRight<FieldTree>((below, name) => ({ [`f:${name}`]: below }), {})

const replicas = treeOf(ofScale)

const ownsField =
  (place: ReplicasPlace) =>
  ({ apiVersion, fieldsV1 }: ManagedFieldsEntry): boolean => {
    const path = place.of(apiVersion)
    return path !== undefined && path.reduce<any>((tree, name) => tree?.[`f:${name}`], fieldsV1) !== undefined
  }

/** Returns an entry without the replicas; no entry when no field is left. */
const withoutReplicas = (entry: ManagedFieldsEntry, place: ReplicasPlace) =>
  withoutTaken(entry, treeOf(place.of(entry.apiVersion) ?? place.own))

/**
 * Returns the entries after an update of spec.replicas through a Scale, which shows only the owners of replicas. A Scale does not write
 * replicas of 0, so these lose their owner, and a field without an owner stays untracked. The new entry has no time. Unchanged replicas
 * keep their owner, but an Update entry comes back in two: one for the replicas, and one for the rest.
 */
export function trackScale(
  known: readonly ManagedFieldsEntry[],
  manager: Manager,
  before: number,
  after: number,
  place = everywhere
): readonly ManagedFieldsEntry[] {
  const entries = distinct(known)
  if (!entries.some(ownsField(place))) return entries
  if (before === after) return entries.flatMap(entry => split(entry, manager.apiVersion, place)).sort(byOrder)
  const others = entries.flatMap(entry => (ownsField(place)(entry) ? withoutReplicas(entry, place) : [entry]))
  if (after === 0) return others
  const { name, apiVersion, subresource } = manager
  return [
    ...others,
    { manager: name, operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1: treeOf(place.own), subresource }
  ].sort(byOrder)
}

function split(entry: ManagedFieldsEntry, apiVersion: string, place: ReplicasPlace): readonly ManagedFieldsEntry[] {
  if (!ownsField(place)(entry) || entry.operation !== 'Update') return [entry]
  const { time: _, ...identity } = entry
  return [...withoutReplicas(entry, place), { ...identity, apiVersion, fieldsV1: treeOf(place.own) }]
}

/** Returns the entries that a Scale shows. The Scale has a type of its own, and the entries name its version. */
export function entriesOfScale(
  entries: readonly ManagedFieldsEntry[],
  apiVersion: string,
  place = everywhere
): ManagedFieldsEntry[] {
  return ownersInScale(distinct(entries), apiVersion, place)
}

/** The same for entries that an update of the Scale has left, of which two may have the same manager. */
export const ownersInScale = (
  entries: readonly ManagedFieldsEntry[],
  apiVersion: string,
  place = everywhere
): ManagedFieldsEntry[] => entries.filter(ownsField(place)).map(entry => ({ ...entry, apiVersion, fieldsV1: replicas }))

/** Returns the object's entries after an apply has turned the entries of its Scale into `applied`. */
export function entriesAfterScale(
  known: readonly ManagedFieldsEntry[],
  applied: readonly ManagedFieldsEntry[],
  apiVersion: string,
  place = everywhere
): readonly ManagedFieldsEntry[] {
  const entries = distinct(known)
  const owns = ownsField(place)
  const field = treeOf(place.own)
  const keyOf = ({ manager, operation, subresource }: ManagedFieldsEntry) => JSON.stringify([manager, operation, subresource])
  const before = new Set(entries.filter(owns).map(keyOf))
  // an owner of replicas keeps them with any field of the Scale: kube-apiserver does not look which
  const owners = applied.filter(({ fieldsV1 }) => Object.keys(fieldsV1 ?? {}).length > 0)
  const after = new Set(owners.map(keyOf))
  const kept = entries.flatMap(entry => {
    if (!owns(entry)) return [entry]
    return after.has(keyOf(entry)) ? split(entry, apiVersion, place) : withoutReplicas(entry, place)
  })
  const ownsScale = ownsField(everywhere)
  const added = owners
    .filter(entry => ownsScale(entry) && !before.has(keyOf(entry)))
    .map(({ time: _, ...entry }) => ({ ...entry, apiVersion, fieldsV1: field }))
  return [...kept, ...added].sort(byOrder)
}
