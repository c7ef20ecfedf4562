/**
 * managedFields entries, which record the manager of each field
 * (https://kubernetes.io/docs/reference/using-api/server-side-apply/).
 */

import { compareText, goQuote, isPrintable } from '../../util/go-format.js'
import { equalJson, getKey } from '../../util/json.js'
import { atOnce, type Steps } from '../../util/turns.js'
import type { ManagedFieldsEntry, ObjectMeta } from '../api/generated/meta-v1.js'
import { given } from '../schema/given.js'
import type { StructType } from '../schema/model.js'
import { maxManagerBytes } from '../validation/manager-name.js'
import { type Comparison, comparison, type Origin } from './compare.js'
import { fieldSet, problemText } from './field-set.js'
import { differenceRoots, type FieldTree, isEmptyTree, outside, readTree, sorted, unionOfRoots, unionRoots } from './fields-v1.js'
import { fitting, withoutManagers } from './fitting.js'
import { hasWrongFieldSet } from './nested-fields.js'
import { placeOf } from './place.js'
import { reconcile } from './reconcile.js'
import { type VersionView, type VersionViews, ViewError } from './version-view.js'

export interface Manager {
  /** The fieldManager option, or the beginning of the User-Agent. */
  readonly name: string
  /** "apps/v1" */
  readonly apiVersion: string
  /** "" for the main resource */
  readonly subresource: string
}

/** Most Update entries; more are merged into one. */
const maxUpdateManagers = 10
const ancient = 'ancient-changes'

/** Fields that no manager owns: identity, and fields that the server maintains. */
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

/**
 * Returns the manager's name. Without the option, it is the printable part of the User-Agent up to the first slash, cut to the
 * longest name.
 */
export function managerName(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager
  let name = ''
  let bytes = 0
  // Node decodes headers as Latin-1, whatever their encoding
  for (const char of Buffer.from(userAgent ?? '', 'latin1').toString()) {
    if (char === '/') break
    if (!isPrintable(char)) continue
    bytes += Buffer.byteLength(char)
    if (bytes > maxManagerBytes) break
    name += char
  }
  return name === '' ? 'unknown' : name
}

const isOwnUpdate = (entry: ManagedFieldsEntry, manager: Manager) =>
  entry.operation === 'Update' &&
  entry.manager === manager.name &&
  entry.apiVersion === manager.apiVersion &&
  (entry.subresource ?? '') === manager.subresource

/**
 * Reads entries that a client sends. Returns undefined when there are none, or when one is invalid, in which case all are
 * ignored. Of two entries for the same manager, the last one counts.
 */
function readable(sent: readonly ManagedFieldsEntry[] | undefined): ManagedFieldsEntry[] | undefined {
  if (!sent) return undefined
  const known = new Map<string, ManagedFieldsEntry>()
  for (const entry of sent) {
    const { manager, operation, apiVersion, fieldsType, subresource } = entry
    if ((operation !== 'Update' && operation !== 'Apply') || fieldsType !== 'FieldsV1' || !apiVersion) return undefined
    const fieldsV1 = readTree(entry.fieldsV1 ?? {})
    if (!fieldsV1) return undefined
    known.set(JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]), { ...entry, fieldsV1 })
  }
  const entries = [...known.values()].filter(entry => !isEmptyTree(entry.fieldsV1 as FieldTree))
  return sent.length > 0 ? entries : undefined
}

/** Returns the error in entries that another server or client wrote; undefined for valid entries. */
export function managedFieldsProblem(entries: readonly ManagedFieldsEntry[] = []): string | undefined {
  for (const [i, { operation, apiVersion, fieldsType }] of entries.entries()) {
    if (operation !== 'Update' && operation !== 'Apply') return 'operation must be `Apply` or `Update`'
    if (!apiVersion) return 'apiVersion must not be empty'
    if (!fieldsType) return `missing fieldsType in managed fields entry ${i}`
    if (fieldsType !== 'FieldsV1') return `invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${i}`
  }
  return undefined
}

/** A client clears managedFields by sending an empty list, or one empty entry. */
const isReset = (entries: readonly ManagedFieldsEntry[] | undefined) =>
  entries?.length === 0 ||
  (entries?.length === 1 &&
    Object.entries(entries[0]!).every(
      ([key, value]) => value === undefined || value === null || (value === '' && key !== 'fieldsV1')
    ))

/**
 * Sets the managedFields of an object that is about to replace `old` in a create, update or patch. For a creation, `old` is the
 * type's empty object. `reset` names the fields that the request cannot change, and that it therefore cannot own.
 */
export const trackUpdate = (...given: Parameters<typeof tracking>): void => atOnce(tracking(...given))

/** The same for large objects, in steps. */
export function* tracking(
  type: StructType,
  old: any,
  object: any,
  manager: Manager,
  now: string,
  reset?: FieldTree,
  views: VersionViews = noViews,
  dryRun = false
): Steps<void> {
  const meta: ObjectMeta = object.metadata
  // an empty list asks to clear the entries
  const sent = given(meta, 'managedFields')
  const existing = distinct(old.metadata.managedFields ?? [])
  const exists = old.metadata.uid !== undefined
  delete meta.managedFields
  const forged = manager.subresource === '' && (exists || !isReset(sent)) ? sent : undefined
  if (isReset(forged)) return
  // nearly always the client returns them unchanged
  const known = forged && !equalJson(forged, existing) ? readable(forged) : undefined
  const before = known ?? existing
  // an object that nobody has owned stays so; one whose entries are all of versions that are gone does not
  if (exists && before.length === 0) return
  const { entries, versions } = reconcile(before, old, manager.apiVersion, type, views)
  if (exists && type.decoder) checkStored(type, old)
  if (!type.decoder && hasWrongFieldSet(type, object)) refuse(fieldSet(placeOf(type), object).problems)
  if (reset && type.decoder) checkUnchangeable(type, old, object, reset)
  const { changed, removed } = yield* differences(type, old, object, reset, dryRun ? 'dry run' : 'request')
  yield
  const taken = new Map([[manager.apiVersion, unionRoots(changed, removed)]])
  let result: ManagedFieldsEntry[] = []
  for (const entry of entries) {
    const apiVersion = entry.apiVersion ?? ''
    if (!taken.has(apiVersion)) {
      const { view, live } = versions.get(apiVersion)!
      const found = yield* differencesInView(view, live, object, resetElsewhere(type, manager, reset))
      taken.set(apiVersion, unionRoots(found.changed, found.removed))
    }
    result.push(...withoutTaken(entry, taken.get(apiVersion)))
    yield
  }
  let own = changed && ownable(changed)
  if (own) {
    yield
    const mine = result.findIndex(entry => isOwnUpdate(entry, manager))
    if (mine >= 0) own = unionRoots(result.splice(mine, 1)[0]!.fieldsV1 as FieldTree, own)!
    yield
    result.push(entryOf(manager, 'Update', now, own))
  }
  yield
  result = capped(result).sort(byOrder)
  // other times alone are no change
  if (
    known &&
    equalJson(result.map(withoutTime), existing.map(withoutTime)) &&
    equalJson(withoutManagers(object), withoutManagers(old))
  )
    result = [...existing]
  if (result.length > 0) meta.managedFields = result
}

const withoutTime = ({ time, ...entry }: ManagedFieldsEntry) => entry

/** Throws a ViewError when an object that was stored before its definition changed no longer fits its type. Items may repeat. */
function checkStored(type: StructType, old: any): void {
  refuse(fieldSet(placeOf(type), withoutManagers(old)).problems)
}

/** Throws a ViewError for problems other than items that repeat. */
function refuse(problems: readonly string[]): void {
  const wrong = problems.filter(text => !text.includes(': duplicate entries for '))
  if (wrong.length > 0) throw new ViewError(problemText(wrong))
}

/**
 * Throws a ViewError when a field that the request cannot change does not fit its type, because no validation follows for dropped
 * fields. Only custom resources are decoded before they are known to fit.
 */
function checkUnchangeable(type: StructType, old: any, object: any, reset: FieldTree): void {
  const root = placeOf(type)
  for (const step in reset) {
    const name = step.slice('f:'.length)
    const place = name === 'metadata' ? undefined : root.at(name)
    const value = getKey(object, name)
    if (!place || value === undefined || equalJson(value, getKey(old, name))) continue
    refuse(fieldSet(place, value).problems)
  }
}

/** Returns an entry without the fields that other managers took; no entry when no field is left. */
export function withoutTaken(entry: ManagedFieldsEntry, taken: FieldTree | undefined): ManagedFieldsEntry[] {
  const fields = entry.fieldsV1 as FieldTree
  const rest = taken ? differenceRoots(fields, taken) : fields
  return !rest ? [] : [rest === fields ? entry : { ...entry, fieldsV1: rest }]
}

/** Returns the fields of a set that a manager can own. */
export const ownable = (fields: FieldTree): FieldTree | undefined => differenceRoots(fields, neverOwned)

export function entryOf(
  manager: Manager,
  operation: 'Apply' | 'Update',
  time: string | undefined,
  fields: FieldTree
): ManagedFieldsEntry {
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

const noViews: VersionViews = () => undefined

/** `decoded`: see `compare`. */
export function* differences(
  type: StructType,
  old: any,
  object: any,
  reset: FieldTree | undefined,
  origin: Origin = 'old object'
): Steps<Comparison> {
  const { changed, removed } = yield* comparison(type, withoutManagers(old), object, origin)
  return {
    changed: reset && changed ? outside(changed, reset) : changed,
    removed: reset && removed ? outside(removed, reset) : removed
  }
}

/** `old`: already in the other version. Throws a ViewError for a new object that is invalid there. */
export function* differencesInView(
  { type, from }: VersionView,
  old: any,
  object: any,
  reset: FieldTree | undefined
): Steps<Comparison> {
  return yield* differences(type, old, fitting(type, from(object), 'failed to convert new object: '), reset)
}

/** Returns the fields that do not count in other versions. Those of a custom resource itself are reset in the version of the request only. */
export const resetElsewhere = (type: StructType, { subresource }: Manager, reset: FieldTree | undefined) =>
  type.decoder && subresource === '' ? undefined : reset

/** Merges the oldest Update entries of each version into one when there are too many. */
function capped(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  const updates = entries.filter(entry => entry.operation === 'Update')
  let over = updates.length - maxUpdateManagers
  if (over <= 0) return entries
  updates.sort((a, b) => compareText(a.time ?? '', b.time ?? '') || compareText(a.manager ?? '', b.manager ?? ''))
  const folded = new Map<string, ManagedFieldsEntry[]>()
  const gone = new Set<ManagedFieldsEntry>()
  for (const entry of updates) {
    if (over < 0) break
    const version = entry.apiVersion ?? ''
    const bucket = folded.get(version)
    // the first entry of a version is only renamed; every further one shortens the list
    if (bucket) over--
    else if (over === 0) break
    gone.add(entry)
    if (bucket) bucket.push(entry)
    else folded.set(version, [entry])
    if (over === 0) break
  }
  return [...entries.filter(entry => !gone.has(entry)), ...[...folded.values()].map(foldedEntry)]
}

const foldedEntry = (entries: readonly ManagedFieldsEntry[]): ManagedFieldsEntry => ({
  ...entries.at(-1)!,
  manager: ancient,
  fieldsV1: unionOfRoots(entries.map(entry => entry.fieldsV1 as FieldTree))
})

/** Keeps the last of several entries that differ only in their fields, such as a Scale leaves behind. */
export function distinct(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const identity = ({ manager, operation, apiVersion, subresource = '' }: ManagedFieldsEntry) =>
    JSON.stringify([manager, operation, operation === 'Apply' ? '' : apiVersion, subresource])
  const last = new Map(entries.map(entry => [identity(entry), entry]))
  return last.size === entries.length ? entries : [...last.values()]
}

/** Compares entries by time; entries without a time come first. */
export function byOrder(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation ?? '', b.operation ?? '') ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager ?? '', b.manager ?? '') ||
    compareText(a.apiVersion ?? '', b.apiVersion ?? '') ||
    compareText(a.subresource ?? '', b.subresource ?? '')
  )
}
