/** Values that an object holds as JSON of any form, such as a ControllerRevision's data. */
import { sortedKeys } from '../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../util/json.js'
import type { StructType, Type } from './model.js'

const known = new WeakMap<StructType, boolean>()

/** Whether objects of a type may hold such values. */
export function holdsRaw(type: Type): boolean {
  if (type.kind === 'scalar') return type.scalar === 'raw' || type.scalar === 'json'
  if (type.kind !== 'struct') return holdsRaw(type.kind === 'list' ? type.items : type.values)
  let found = known.get(type)
  if (found !== undefined) return found
  // a JSON schema holds schemas
  known.set(type, false)
  found = type.fields.some(field => holdsRaw(field.type))
  known.set(type, found)
  return found
}

/**
 * Copies a value with the keys of all its raw values sorted. Go keeps their text as it was written, except where it made them from
 * a map: in the result of a strategic merge patch or an apply.
 */
export function withSortedRaw(type: Type, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !holdsRaw(type)) return value
  if (type.kind === 'scalar') return sorted(value)
  if (Array.isArray(value)) return type.kind === 'list' ? value.map(item => withSortedRaw(type.items, item)) : value
  const out: JsonObject = {}
  for (const [key, child] of Object.entries(value)) {
    const below = type.kind === 'map' ? type.values : type.kind === 'struct' ? type.byName.get(key)?.type : undefined
    setKey(out, key, below ? withSortedRaw(below, child) : child)
  }
  return out
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const key of sortedKeys(value)) setKey(out, key, sorted(value[key]))
  return out
}
