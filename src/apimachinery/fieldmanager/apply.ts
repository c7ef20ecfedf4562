/** Server-side apply, independent of the request (https://kubernetes.io/docs/reference/using-api/server-side-apply/). */

import { equalJson } from '../../util/json.js'
import { atOnce, type Steps } from '../../util/turns.js'
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import type { StructType } from '../schema/model.js'
import type { Comparison } from './compare.js'
import { type Conflict, conflictError } from './conflicts.js'
import { emptyObject } from './empty-object.js'
import { fieldSet } from './field-set.js'
import { differenceRoots, type FieldTree, hasSelf, intersection, isEmptyTree, leaf, outside, unionRoots } from './fields-v1.js'
import { fitting, withoutManagers } from './fitting.js'
import { kubectl, ownedByAnnotation } from './last-applied.js'
import {
  byOrder,
  differences,
  differencesInView,
  distinct,
  entryOf,
  type Manager,
  ownable,
  resetElsewhere,
  trackUpdate,
  withoutTaken
} from './managed-fields.js'
import { merge } from './merge.js'
import { type Place, placeOf } from './place.js'
import { abandoned, comparable, holdsEmptyList, storable, withoutFields } from './prune.js'
import { type Reconciled, reconcile } from './reconcile.js'
import type { VersionView, VersionViews } from './version-view.js'

export interface Application {
  readonly type: StructType
  /** The present object, or the type's empty object. Not changed. */
  readonly live: any
  readonly config: any
  /** The fields that the configuration names. */
  readonly fields: FieldTree
  readonly manager: Manager
  readonly now: string
  /** Takes over fields that other managers own. */
  readonly force: boolean
  /** Fields that the request cannot change, and that it therefore cannot own. */
  readonly reset?: FieldTree | undefined
  readonly views?: VersionViews | undefined
}

const noViews: VersionViews = () => undefined

export interface Applied {
  /** Not decoded yet; undefined when the object does not change. */
  readonly object: any
  readonly managedFields: readonly ManagedFieldsEntry[]
}

const beforeFirstApply = 'before-first-apply'

/** Throws a StatusError (409) for conflicts. */
export const applyConfiguration = (application: Application): Applied => atOnce(applying(application))

/** The same for large objects, in steps. */
export function* applying(application: Application): Steps<Applied> {
  const { type, config, manager, now, reset, views = noViews } = application
  const live = withoutManagers(application.live)
  const { entries, versions } = reconcile(distinct(entriesOf(application)), live, manager.apiVersion, type, views)
  const own = entries.find(entry => isOwnApply(entry, manager))
  const others = entries.filter(entry => entry !== own)
  const fields = (reset ? outside(application.fields, reset) : application.fields) ?? {}
  yield
  const merged = merge(placeOf(type), live, config)
  yield
  const object = own ? pruned(application, merged, own, [...others, entryOf(manager, 'Apply', undefined, fields)]) : merged
  yield
  const found = yield* differences(type, live, object, reset)
  yield
  const taken = differencesIn(application, versions, object, found)
  const conflicts = others.flatMap<Conflict>(owner => {
    const { changed } = taken(owner.apiVersion ?? '')
    const both = changed && intersection(owner.fieldsV1 as FieldTree, changed)
    return both ? [{ owner, fields: both }] : []
  })
  if (!application.force && conflicts.length > 0) refuse(application, conflicts)
  // the order of a list is a change, although no manager owns it
  const same = equalJson(live, object)
  const left = others.flatMap(entry => {
    const theirs = taken(entry.apiVersion ?? '')
    return withoutTaken(entry, unionRoots(theirs.changed, theirs.removed))
  })
  yield
  const mine = ownable(fields)
  const managedFields = mine ? [...left, entryOf(manager, 'Apply', same ? (own?.time ?? undefined) : now, mine)] : left
  return { object: same ? undefined : object, managedFields: [...managedFields].sort(byOrder) }
}

/** A manager has one Apply entry, whichever version it applies. */
const isOwnApply = (entry: ManagedFieldsEntry, { name, subresource }: Manager) =>
  entry.operation === 'Apply' && entry.manager === name && (entry.subresource ?? '') === subresource

/** Assigns the fields of an object without managedFields to the manager before-first-apply. */
function entriesOf({ type, live, manager, now, reset }: Application): readonly ManagedFieldsEntry[] {
  const entries = live.metadata.managedFields
  if (entries?.length > 0 || live.metadata.uid === undefined) return entries ?? []
  const seen = { ...live, metadata: { ...live.metadata } }
  trackUpdate(type, emptyObject(type), seen, { ...manager, name: beforeFirstApply }, now, reset)
  return seen.metadata.managedFields ?? []
}

function viewOf({ type, manager, views }: Application, apiVersion: string): VersionView | undefined {
  return apiVersion === manager.apiVersion ? { type, from: same, back: same } : views?.(apiVersion)
}

const same = (object: any) => object
const pruning = 'failed to prune fields'

/** Removes the fields that the applier gave up. Compares ownership in the version of each entry. */
function pruned(application: Application, merged: any, own: ManagedFieldsEntry, entries: readonly ManagedFieldsEntry[]): any {
  const { type, manager } = application
  const { apiVersion = '' } = own
  const last = own.fieldsV1 as FieldTree
  const owned = (version: string) =>
    entries
      .filter(entry => entry.apiVersion === version)
      .reduce<FieldTree | undefined>((all, entry) => unionRoots(all, entry.fieldsV1 as FieldTree), undefined)
  const place = placeOf(type)
  const versions = new Set(entries.map(entry => entry.apiVersion ?? ''))
  if (apiVersion === manager.apiVersion && versions.size === 1 && !holdsEmptyList(place, merged)) {
    const gone = abandoned(place, merged, last, owned(apiVersion))
    return gone ? withoutFields(place, merged, gone, storable) : merged
  }
  const view = (version: string) => viewOf(application, version)
  const then = view(apiVersion)
  if (!then) return merged
  // what is in the version already is taken as it is
  const all =
    apiVersion === manager.apiVersion
      ? merged
      : fitting(then.type, then.from(merged), `${pruning}: failed to convert merged object to last applied version: `)
  // without what it owned before, of which then comes back what has an owner, in one version after the other
  const before = withNamedFields(placeOf(then.type), last)
  let rest = then.back(withoutFields(placeOf(then.type), all, before, comparable))
  let reached = apiVersion
  for (const version of [apiVersion, ...[...versions].filter(other => other !== apiVersion).sort()]) {
    const other = view(version)
    const theirs = owned(version)
    if (!other || !theirs) continue
    reached = version
    const failed = (which: string) =>
      `${pruning}: failed add back owned items: failed to convert ${which} object at version ${version}: `
    const whole = version === apiVersion ? all : fitting(other.type, other.from(merged), failed('merged'))
    const missing = missingIn(other, whole, rest)
    const unowned = missing && differenceRoots(missing, withNamedFields(placeOf(other.type), theirs))
    rest = other.back(unowned ? withoutFields(placeOf(other.type), whole, unowned, comparable) : whole)
  }
  // a field that a conversion fills in again counts as kept, with its previous value
  if (reached !== apiVersion)
    fitting(
      then.type,
      then.from(rest),
      `${pruning}: failed add back dangling items: failed to convert pruned object to last applied version: `
    )
  const missing = missingIn(then, all, rest)
  const lost = missing && intersection(missing, before)
  return then.back(lost ? withoutFields(placeOf(then.type), all, lost, storable) : all)
}

/** Returns the fields of an object that a later state of it lacks, both in the version of a view. */
function missingIn({ type, from }: VersionView, before: any, rest: any): FieldTree | undefined {
  const place = placeOf(type)
  const fieldsOf = (object: any) => withNamedFields(place, fieldSet(place, withoutManagers(object)).fields)
  return differenceRoots(fieldsOf(before), fieldsOf(from(rest)))
}

/** Adds every field of a struct that has a member below it to the set. */
function withNamedFields(place: Place, tree: FieldTree, self = hasSelf(tree)): FieldTree {
  const out: FieldTree = self && !isEmptyTree(tree) ? { '.': leaf } : {}
  for (const step of Object.keys(tree)) {
    if (step === '.') continue
    const at = step.startsWith('f:') ? place.at(step.slice(2)) : place.type.kind === 'list' ? place.below : undefined
    const sub = tree[step]!
    out[step] = at ? withNamedFields(at, sub, at.step !== undefined || hasSelf(sub)) : sub
  }
  return out
}
/** Returns the changes of the apply in the version of an entry. */
function differencesIn(
  { type, manager, reset }: Application,
  versions: Reconciled['versions'],
  object: any,
  own: Comparison
): (apiVersion: string) => Comparison {
  const known = new Map([[manager.apiVersion, own]])
  return apiVersion => {
    let found = known.get(apiVersion)
    if (!found) {
      const { view, live } = versions.get(apiVersion)!
      known.set(apiVersion, (found = atOnce(differencesInView(view, live, object, resetElsewhere(type, manager, reset)))))
    }
    return found
  }
}

function refuse({ type, live, manager }: Application, conflicts: readonly Conflict[]): void {
  const allowed = manager.name === kubectl ? ownedByAnnotation(type, live, manager.apiVersion) : undefined
  const left = !allowed
    ? conflicts
    : conflicts.flatMap(({ owner, fields }) => {
        const rest = differenceRoots(fields, allowed)
        return rest ? [{ owner, fields: rest }] : []
      })
  if (left.length > 0) throw conflictError(left)
}
