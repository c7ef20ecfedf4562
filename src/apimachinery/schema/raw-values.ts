/** Values that an object holds as JSON of any form, such as a ControllerRevision's data. */
import { exactJson } from '../../util/exact-json.js'
import { sortedKeys } from '../../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../../util/json.js'
import { holders, innermost } from './holders.js'
import type { Scalar, Type } from './model.js'

const holdsRawField = holders(({ type }) => isRaw(innermost(type)))

/** Whether objects of a type may hold such values. */
export const holdsRaw = (type: Type): boolean => isRaw(innermost(type)) || holdsRawField(type)

const isRaw = (type: Type) => type.kind === 'scalar' && (type.scalar === 'raw' || type.scalar === 'json')

/**
 * Copies a value with the keys of all its raw values sorted. Go keeps their text as it was written, except where it made them from
 * a map: in the result of a strategic merge patch or an apply.
 */
export const withSortedRaw = (type: Type, value: unknown): unknown => withRaw(type, value, sorted)

/**
 * Copies a value with the text of each RawExtension in its place, for comparison: to Go, they are equal when their text is, so the
 * order of keys counts, and so do a null and an empty list.
 */
export const withRawText = (type: Type, value: unknown): unknown =>
  withRaw(type, value, (raw, scalar) => (scalar === 'raw' ? exactJson(raw) : raw))

function withRaw(type: Type, value: unknown, change: (raw: unknown, scalar: Scalar) => unknown): unknown {
  if (value === null || typeof value !== 'object' || !holdsRaw(type)) return value
  if (type.kind === 'scalar') return change(value, type.scalar)
  if (Array.isArray(value)) return type.kind === 'list' ? value.map(item => withRaw(type.items, item, change)) : value
  const out: JsonObject = {}
  for (const [key, child] of Object.entries(value)) {
    const below = type.kind === 'map' ? type.values : type.kind === 'struct' ? type.byName.get(key)?.type : undefined
    setKey(out, key, below ? withRaw(below, child, change) : child)
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
