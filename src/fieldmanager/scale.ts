/** Ownership of replicas that change through the scale subresource. */
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import type { FieldTree } from './fields-v1.js'
import { byOrder, distinct, type Manager, withoutTaken } from './managed-fields.js'

/** Where a Scale has its replicas, and most kinds have theirs. */
const ofScale: readonly string[] = ['spec', 'replicas']

/** The set of one field. */
const treeOf = (path: readonly string[]): FieldTree =>
  path.reduceRight<FieldTree>((below, name) => ({ [`f:${name}`]: below }), {})

const replicas = treeOf(ofScale)

const ownsField =
  (path: readonly string[]) =>
  ({ fieldsV1 }: ManagedFieldsEntry): boolean =>
    path.reduce<any>((tree, name) => tree?.[`f:${name}`], fieldsV1) !== undefined

/**
 * The entries after an update of spec.replicas through a Scale. A Scale shows only who owns replicas. Nobody does after they
 * were set to 0, which a Scale does not write; and what nobody owns stays untracked. The new entry has no time. Where replicas
 * stay as they are, so does their owner, but an update's entry comes back from the Scale as another one, beside what is left of it.
 * `path`: where the object itself has its replicas.
 */
export function trackScale(
  known: readonly ManagedFieldsEntry[],
  manager: Manager,
  before: number,
  after: number,
  path = ofScale
): readonly ManagedFieldsEntry[] {
  const entries = distinct(known)
  if (!entries.some(ownsField(path))) return entries
  if (before === after) return entries.flatMap(entry => split(entry, manager.apiVersion, path)).sort(byOrder)
  const field = treeOf(path)
  const others = entries.flatMap(entry => withoutTaken(entry, field))
  if (after === 0) return others
  const { name, apiVersion, subresource } = manager
  return [
    ...others,
    { manager: name, operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1: field, subresource }
  ].sort(byOrder)
}

function split(entry: ManagedFieldsEntry, apiVersion: string, path: readonly string[]): readonly ManagedFieldsEntry[] {
  if (!ownsField(path)(entry) || entry.operation !== 'Update') return [entry]
  const { time: _, ...identity } = entry
  const field = treeOf(path)
  return [...withoutTaken(entry, field), { ...identity, apiVersion, fieldsV1: field }]
}

/** The entries that a Scale shows. It has a type of its own, and the entries speak of its version. */
export function entriesOfScale(entries: readonly ManagedFieldsEntry[], apiVersion: string, path = ofScale): ManagedFieldsEntry[] {
  return distinct(entries)
    .filter(ownsField(path))
    .map(entry => ({ ...entry, apiVersion, fieldsV1: replicas }))
}

/** The entries of the object after an apply has made `applied` of the entries that its Scale shows. */
export function entriesAfterScale(
  known: readonly ManagedFieldsEntry[],
  applied: readonly ManagedFieldsEntry[],
  apiVersion: string,
  path = ofScale
): readonly ManagedFieldsEntry[] {
  const entries = distinct(known)
  const owns = ownsField(path)
  const ownsScale = ownsField(ofScale)
  const field = treeOf(path)
  const keyOf = ({ manager, operation, subresource }: ManagedFieldsEntry) => JSON.stringify([manager, operation, subresource])
  const before = new Set(entries.filter(owns).map(keyOf))
  const after = new Set(applied.filter(ownsScale).map(keyOf))
  const kept = entries.flatMap(entry => {
    if (!owns(entry)) return [entry]
    return after.has(keyOf(entry)) ? split(entry, apiVersion, path) : withoutTaken(entry, field)
  })
  const added = applied
    .filter(entry => ownsScale(entry) && !before.has(keyOf(entry)))
    .map(({ time: _, ...entry }) => ({ ...entry, apiVersion, fieldsV1: field }))
  return [...kept, ...added].sort(byOrder)
}
