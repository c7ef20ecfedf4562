/** Who owns which field of an object, as its managedFields say. */
import type { ManagedFieldsEntry } from '../api/generated/meta-v1.js'
import { readTree } from './fields-v1.js'
import { pathsOf } from './paths.js'

export interface FieldOwner {
  readonly manager: string
  readonly operation: string
  /** "" for the object itself. */
  readonly subresource: string
  readonly apiVersion: string
  /** When the manager last changed what it owns: RFC 3339, in whole seconds. */
  readonly time: string | undefined
}

export interface OwnedField {
  /** `.spec.containers[name="web"].image` */
  readonly path: string
  readonly owners: readonly FieldOwner[]
}

/** Returns the owned fields, sorted by path: those at and below `field`, or all. Of a field that nobody owns, the nearest one above it. */
export function fieldOwners(entries: readonly ManagedFieldsEntry[] | undefined, field = ''): OwnedField[] {
  const owners = new Map<string, FieldOwner[]>()
  for (const { manager = '', operation = '', subresource = '', apiVersion = '', time, fieldsV1 } of entries ?? []) {
    const tree = readTree(fieldsV1)
    const owner: FieldOwner = { manager, operation, subresource, apiVersion, time: time ?? undefined }
    for (const path of tree ? pathsOf(tree) : []) {
      const known = owners.get(path)
      if (known) known.push(owner)
      else owners.set(path, [owner])
    }
  }
  const all = [...owners].map(([path, owners]) => ({ path, owners })).sort((a, b) => (a.path < b.path ? -1 : 1))
  if (field === '') return all
  const wanted = field.startsWith('.') || field.startsWith('[') ? field : `.${field}`
  const below = all.filter(({ path }) => isAtOrBelow(path, wanted))
  if (below.length > 0) return below
  const above = all.filter(({ path }) => isAtOrBelow(wanted, path))
  return above.slice(-1)
}

const isAtOrBelow = (path: string, top: string): boolean =>
  path.startsWith(top) && (path.length === top.length || path[top.length] === '.' || path[top.length] === '[')
