import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import { type FieldTree, isEmptyTree, leaf } from './fields-v1.js'
import { type Place, placeOf } from './place.js'
import type { VersionViews } from './version-view.js'

/**
 * Adapts entries to the present schema: a manager that owned parts of a field that is now owned as a whole owns the whole. The
 * reverse is not done: a whole that is now owned by parts stays one until its owner applies again.
 */
export function reconcileEntries(entries: readonly ManagedFieldsEntry[], views: VersionViews): readonly ManagedFieldsEntry[] {
  return entries.map(entry => {
    const type = views(entry.apiVersion ?? '')?.type
    if (!type?.decoder) return entry
    const fields = entry.fieldsV1 as FieldTree
    const fieldsV1 = reconciled(placeOf(type), fields)
    return fieldsV1 === fields ? entry : { ...entry, fieldsV1 }
  })
}

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
