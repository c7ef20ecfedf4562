import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import type { StructType } from '../schema/model.js'
import { type FieldTree, isEmptyTree, leaf } from './fields-v1.js'
import { fitting } from './fitting.js'
import { type Place, placeOf } from './place.js'
import type { VersionView, VersionViews } from './version-view.js'

/** A version that has entries, and the present object in it. */
interface EntryVersion {
  readonly view: VersionView
  readonly live: any
}

export interface Reconciled {
  readonly entries: readonly ManagedFieldsEntry[]
  /** By apiVersion, for all entries. */
  readonly versions: ReadonlyMap<string, EntryVersion>
}

/**
 * Adapts entries to the present schema. If a field is now owned as a whole, a manager that owned parts of it owns the whole. The reverse
 * is not done: a field that was owned as a whole stays so until its owner applies again. Entries of versions that the kind no longer has
 * are dropped. Throws a ViewError when the present object (`live`, of `type` and `apiVersion`) does not fit the version of an entry.
 */
export function reconcile(
  entries: readonly ManagedFieldsEntry[],
  live: any,
  apiVersion: string,
  type: StructType,
  views: VersionViews
): Reconciled {
  const versions = new Map<string, EntryVersion>()
  const versionOf = (version: string): EntryVersion | undefined => {
    const known = versions.get(version)
    if (known) return known
    const view = version === apiVersion ? { type, from: same, back: same } : views(version)
    if (!view) return undefined
    const found = { view, live: version === apiVersion ? live : fitting(view.type, view.from(live), '') }
    versions.set(version, found)
    return found
  }
  const reconciledEntries = entries.flatMap(entry => {
    const version = versionOf(entry.apiVersion ?? '')
    if (!version) return []
    const fields = entry.fieldsV1 as FieldTree
    const fieldsV1 = version.view.type.decoder ? reconciled(placeOf(version.view.type), fields) : fields
    return [fieldsV1 === fields ? entry : { ...entry, fieldsV1 }]
  })
  return { entries: reconciledEntries, versions }
}

const same = (object: any) => object

function reconciled(place: Place, tree: FieldTree): FieldTree {
  if (isEmptyTree(tree)) return tree
  if (place.granularity === 'whole') return leaf
  let out: FieldTree | undefined
  for (const step of Object.keys(tree)) {
    if (step === '.') continue
    const at = step.startsWith('f:') ? place.at(step.slice(2)) : place.type.kind === 'list' ? place.below : undefined
    const sub = at ? reconciled(at, tree[step]!) : tree[step]!
    if (sub !== tree[step]) (out ??= { ...tree })[step] = sub
  }
  return out ?? tree
}
