import type { KubeObject, ManagedFieldsEntry } from '../api/types.js'
import type { Path } from './yaml-text.js'

/** Who owns a field, as `managedFields` tell. */
export interface Owner {
  readonly manager: string
  readonly operation: string
  readonly subresource: string
  readonly time: string | undefined
}

export interface Owned {
  readonly owners: readonly Owner[]
  /** The owners of each field, by `keyOfPath`, as indexes in `owners`. */
  readonly fields: ReadonlyMap<string, readonly number[]>
}

export const keyOfPath = (path: Path): string => JSON.stringify(path)

/** Finds the owners of an object's fields, where the object has them (KEP-555, FieldsV1). */
export function ownersOf(object: KubeObject): Owned {
  const entries = object.metadata.managedFields ?? []
  const fields = new Map<string, number[]>()
  for (const [i, entry] of entries.entries()) {
    walk(entry.fieldsV1, object, [], path => {
      const key = keyOfPath(path)
      const present = fields.get(key)
      if (present) present.push(i)
      else fields.set(key, [i])
    })
  }
  return { owners: entries.map(ownerOf), fields }
}

const ownerOf = ({ manager = '', operation = '', subresource = '', time }: ManagedFieldsEntry): Owner => ({
  manager,
  operation,
  subresource,
  time
})

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

function walk(set: unknown, value: unknown, path: Path, found: (path: Path) => void): void {
  if (!isFields(set)) return
  const members = Object.keys(set).filter(member => member !== '.')
  if (path.length > 0 && (members.length === 0 || '.' in set)) found(path)
  for (const member of members) {
    const step = stepOf(member, value)
    if (step !== undefined) walk(set[member], (value as Fields)[step as string], [...path, step], found)
  }
}

/** The key or index for which a member of FieldsV1 stands; undefined if the value does not have it. */
function stepOf(member: string, value: unknown): string | number | undefined {
  const name = member.slice(2)
  if (member.startsWith('f:')) return isFields(value) && Object.hasOwn(value, name) ? name : undefined
  if (!Array.isArray(value)) return undefined
  if (member.startsWith('i:')) return Number(name) < value.length ? Number(name) : undefined
  const wanted = parse(name)
  const index = member.startsWith('v:')
    ? value.findIndex(item => JSON.stringify(item) === JSON.stringify(wanted))
    : value.findIndex(
        item =>
          isFields(item) &&
          isFields(wanted) &&
          Object.entries(wanted).every(([key, part]) => item[key] === part || isDefault(key, item[key], part))
      )
  return index < 0 ? undefined : index
}

// The protocol of a port is a key, and its default is not always written.
const isDefault = (key: string, present: unknown, wanted: unknown): boolean =>
  key === 'protocol' && present === undefined && wanted === 'TCP'

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
