/** Ownership of replicas that change through the scale subresource. */
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import type { FieldTree } from './fields-v1.js'
import { byOrder, distinct, type Manager, withoutTaken } from './managed-fields.js'

const replicas: FieldTree = { 'f:spec': { 'f:replicas': {} } }

const owns = ({ fieldsV1 }: ManagedFieldsEntry) => (fieldsV1 as any)?.['f:spec']?.['f:replicas'] !== undefined

/**
 * The entries after an update of spec.replicas through a Scale. A Scale shows only who owns replicas. Nobody does after they
 * were set to 0, which a Scale does not write; and what nobody owns stays untracked. The new entry has no time. Where replicas
 * stay as they are, so does their owner, but an update's entry comes back from the Scale as another one, beside what is left of it.
 */
export function trackScale(
  known: readonly ManagedFieldsEntry[],
  manager: Manager,
  before: number,
  after: number
): readonly ManagedFieldsEntry[] {
  const entries = distinct(known)
  if (!entries.some(owns)) return entries
  if (before === after) return entries.flatMap(entry => split(entry, manager.apiVersion)).sort(byOrder)
  const others = entries.flatMap(entry => withoutTaken(entry, replicas))
  if (after === 0) return others
  const { name, apiVersion, subresource } = manager
  return [
    ...others,
    { manager: name, operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1: replicas, subresource }
  ].sort(byOrder)
}

function split(entry: ManagedFieldsEntry, apiVersion: string): readonly ManagedFieldsEntry[] {
  if (!owns(entry) || entry.operation !== 'Update') return [entry]
  const { time: _, ...identity } = entry
  return [...withoutTaken(entry, replicas), { ...identity, apiVersion, fieldsV1: replicas }]
}

/** The entries that a Scale shows. It has a type of its own, and the entries speak of its version. */
export function entriesOfScale(entries: readonly ManagedFieldsEntry[], apiVersion: string): ManagedFieldsEntry[] {
  return distinct(entries)
    .filter(owns)
    .map(entry => ({ ...entry, apiVersion, fieldsV1: replicas }))
}

/** The entries of the object after an apply has made `applied` of the entries that its Scale shows. */
export function entriesAfterScale(
  known: readonly ManagedFieldsEntry[],
  applied: readonly ManagedFieldsEntry[],
  apiVersion: string
): readonly ManagedFieldsEntry[] {
  const entries = distinct(known)
  const keyOf = ({ manager, operation, subresource }: ManagedFieldsEntry) => JSON.stringify([manager, operation, subresource])
  const before = new Set(entries.filter(owns).map(keyOf))
  const after = new Set(applied.filter(owns).map(keyOf))
  const kept = entries.flatMap(entry => {
    if (!owns(entry)) return [entry]
    return after.has(keyOf(entry)) ? split(entry, apiVersion) : withoutTaken(entry, replicas)
  })
  const added = applied
    .filter(entry => owns(entry) && !before.has(keyOf(entry)))
    .map(({ time: _, ...entry }) => ({ ...entry, apiVersion, fieldsV1: replicas }))
  return [...kept, ...added].sort(byOrder)
}
