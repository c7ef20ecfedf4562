/** Ownership of replicas that change through the scale subresource. */
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import { differenceRoots, type FieldTree } from './fields-v1.js'
import { byOrder, type Manager } from './managed-fields.js'

const replicas: FieldTree = { 'f:spec': { 'f:replicas': {} } }

const owns = ({ fieldsV1 }: ManagedFieldsEntry) => (fieldsV1 as any)?.['f:spec']?.['f:replicas'] !== undefined

/**
 * The entries after an update of spec.replicas through a Scale. A Scale shows only who owns replicas. Nobody does after they
 * were set to 0, which a Scale does not write; and what nobody owns stays untracked. The new entry has no time.
 */
export function trackScale(
  entries: readonly ManagedFieldsEntry[],
  manager: Manager,
  before: number,
  after: number
): readonly ManagedFieldsEntry[] {
  if (before === after || !entries.some(owns)) return entries
  const others = entries.flatMap(entry => {
    const fieldsV1 = differenceRoots(entry.fieldsV1 as FieldTree, replicas)
    return fieldsV1 ? [{ ...entry, fieldsV1 }] : []
  })
  if (after === 0) return others
  const { name, apiVersion, subresource } = manager
  return [
    ...others,
    { manager: name, operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1: replicas, subresource }
  ].sort(byOrder)
}
