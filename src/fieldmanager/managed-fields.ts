/** managedFields entries: who wrote which fields (https://kubernetes.io/docs/reference/using-api/server-side-apply/). */
import type { ManagedFieldsEntry, ObjectMeta } from '../api/generated/meta-v1.js'
import type { StructType } from '../schema/model.js'
import { compare } from './compare.js'
import { differenceRoots, outside, type FieldTree, sorted, unionRoots } from './fields-v1.js'

export interface Manager {
  /** The fieldManager option, or what the User-Agent begins with. */
  readonly name: string
  /** "apps/v1" */
  readonly apiVersion: string
  /** "" for the main resource */
  readonly subresource: string
}

/** More Update entries than this are folded into one. */
const maxUpdateManagers = 10
const ancient = 'ancient-changes'

/** Fields that nobody owns: identity, and what the server keeps. */
const neverOwned: FieldTree = {
  'f:apiVersion': {},
  'f:kind': {},
  'f:metadata': {
    '.': {},
    'f:name': {},
    'f:namespace': {},
    'f:creationTimestamp': {},
    'f:selfLink': {},
    'f:uid': {},
    'f:generation': {},
    'f:managedFields': {},
    'f:resourceVersion': {}
  }
}

const maxNameBytes = 128

/** The manager of a request that names none: the User-Agent up to the first slash. */
export function managerName(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager
  let name = (userAgent ?? '').split('/')[0]!.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
  while (Buffer.byteLength(name) > maxNameBytes) name = name.slice(0, -1)
  return name === '' ? 'unknown' : name
}

const isOwnUpdate = (entry: ManagedFieldsEntry, manager: Manager) =>
  entry.operation === 'Update' && entry.manager === manager.name && entry.apiVersion === manager.apiVersion && (entry.subresource ?? '') === manager.subresource

/** Entries that can be kept; undefined when one of them cannot be read, and so none is believed. */
function readable(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFieldsEntry[] | undefined {
  if (!entries) return undefined
  for (const entry of entries) {
    if (entry.operation !== 'Update' && entry.operation !== 'Apply') return undefined
    if (entry.fieldsType !== 'FieldsV1' || typeof entry.fieldsV1 !== 'object') return undefined
  }
  return entries.length > 0 ? [...entries] : undefined
}

/** A client clears managedFields by sending a list of one empty entry. */
const isReset = (entries: readonly ManagedFieldsEntry[] | undefined) =>
  entries?.length === 1 && Object.values(entries[0]!).every(value => value === '' || value === undefined || value === null)

/**
 * Sets the managedFields of an object that is about to replace `old` by a create, update or patch. `old` of a creation is
 * the type's empty object. `reset` names the fields that the request cannot change and so cannot
 * own. `inOther` shows both as another version of the kind has them: entries speak of the version in which they were made.
 */
export function trackUpdate(type: StructType, old: any, object: any, manager: Manager, now: string, reset?: FieldTree, inOther?: OtherVersion): void {
  const meta: ObjectMeta = object.metadata
  const sent = meta.managedFields
  const existing: readonly ManagedFieldsEntry[] = old.metadata.managedFields ?? []
  const exists = old.metadata.uid !== undefined
  delete meta.managedFields
  if (manager.subresource === '' && isReset(sent)) return
  const entries = (manager.subresource === '' ? readable(sent) : undefined) ?? existing
  if (exists && entries.length === 0) return
  const { changed, removed } = differences(type, old, object, reset)
  const taken = new Map([[manager.apiVersion, unionRoots(changed, removed)]])
  const takenIn = (apiVersion: string) => {
    const other = taken.has(apiVersion) ? undefined : inOther?.(apiVersion)
    if (other) {
      const found = differences(other.type, other.old, other.object, reset)
      taken.set(apiVersion, unionRoots(found.changed, found.removed))
    }
    return taken.get(apiVersion)
  }
  let result = entries.flatMap(entry => withoutTaken(entry, takenIn(entry.apiVersion ?? '')))
  let own = changed && ownable(changed)
  if (own) {
    const mine = result.findIndex(entry => isOwnUpdate(entry, manager))
    if (mine >= 0) own = unionRoots(result.splice(mine, 1)[0]!.fieldsV1 as FieldTree, own)!
    result.push(entryOf(manager, 'Update', now, own))
  }
  result = capped(result).sort(byOrder)
  if (result.length > 0) meta.managedFields = result
}

/** What is left of an entry when others took fields; nothing when none are. */
export function withoutTaken(entry: ManagedFieldsEntry, taken: FieldTree | undefined): ManagedFieldsEntry[] {
  const fields = entry.fieldsV1 as FieldTree
  const rest = taken ? differenceRoots(fields, taken) : fields
  return !rest ? [] : [rest === fields ? entry : { ...entry, fieldsV1: rest }]
}

/** What of a set can have an owner. */
export const ownable = (fields: FieldTree): FieldTree | undefined => differenceRoots(fields, neverOwned)

export function entryOf(manager: Manager, operation: 'Apply' | 'Update', time: string | undefined, fields: FieldTree): ManagedFieldsEntry {
  return {
    manager: manager.name,
    operation,
    apiVersion: manager.apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: sorted(fields),
    ...(manager.subresource === '' ? {} : { subresource: manager.subresource })
  }
}

/** Both objects of an update as an apiVersion shows them; undefined when the kind does not have it. */
export type OtherVersion = (apiVersion: string) => { readonly type: StructType; readonly old: any; readonly object: any } | undefined

export function differences(type: StructType, old: any, object: any, reset: FieldTree | undefined) {
  const { changed, removed } = compareWithoutManagers(type, old, object)
  return { changed: reset && changed ? outside(changed, reset) : changed, removed: reset && removed ? outside(removed, reset) : removed }
}

function compareWithoutManagers(type: StructType, old: any, object: any) {
  if (!old.metadata.managedFields) return compare(type, old, object)
  const { managedFields: _, ...metadata } = old.metadata
  return compare(type, { ...old, metadata }, object)
}

/** Folds the oldest Update entries of each version into one when there are too many. */
function capped(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const updates = entries.filter(entry => entry.operation === 'Update')
  let over = updates.length - maxUpdateManagers
  if (over <= 0) return entries
  updates.sort((a, b) => compareText(a.time ?? '', b.time ?? '') || compareText(a.manager ?? '', b.manager ?? ''))
  const folded = new Map<string, ManagedFieldsEntry>()
  const gone = new Set<ManagedFieldsEntry>()
  for (const entry of updates) {
    if (over < 0) break
    const version = entry.apiVersion ?? ''
    const bucket = folded.get(version)
    // the first entry of a version only changes its name; every further one makes the list shorter
    if (bucket) over--
    else if (over === 0) break
    gone.add(entry)
    folded.set(version, {
      ...entry,
      manager: ancient,
      fieldsV1: unionRoots(bucket?.fieldsV1 as FieldTree | undefined, entry.fieldsV1 as FieldTree)!
    })
    if (over === 0) break
  }
  return [...entries.filter(entry => !gone.has(entry)), ...folded.values()]
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Entries without a time have their place among the others by name. */
export function byOrder(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation ?? '', b.operation ?? '') ||
    (a.time && b.time ? compareText(a.time, b.time) : 0) ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  )
}
