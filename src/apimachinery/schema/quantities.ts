/** Quantities of equal value in different forms: kube-apiserver compares values, so "1Gi" equals "1024Mi". */
import { type JsonObject, setKey } from '../../util/json.js'
import { compareQuantities } from '../../util/quantity.js'
import type { StructType, Type } from './model.js'

/**
 * Returns `value` with each quantity in the form that `as` has, where the two are equal. Returns `value` itself if nothing
 * changes.
 */
export function respelled<T>(type: Type, value: T, as: unknown): T {
  if (value === as || value === undefined || value === null || as === undefined || as === null) return value
  switch (type.kind) {
    case 'scalar':
      return type.scalar === 'quantity' && compareQuantities(value as string, as as string) === 0 ? (as as T) : value
    case 'list':
      return holdsQuantities(type.items) ? (inList(type.items, value as unknown[], as as unknown[]) as T) : value
    case 'map':
      if (!holdsQuantities(type.values)) return value
      return withParts(value as JsonObject, as as JsonObject, Object.keys(value), () => type.values) as T
    default:
      return withParts(value as JsonObject, as as JsonObject, fieldsOf(type), name => type.byName.get(name)!.type) as T
  }
}

function inList(items: Type, value: unknown[], as: unknown[]): unknown[] {
  let out = value
  for (let i = 0; i < value.length && i < as.length; i++) {
    const item = respelled(items, value[i], as[i])
    if (item === value[i]) continue
    if (out === value) out = [...value]
    out[i] = item
  }
  return out
}

function withParts(value: JsonObject, as: JsonObject, keys: readonly string[], typeOf: (key: string) => Type): JsonObject {
  let out = value
  for (const key of keys) {
    if (!Object.hasOwn(value, key) || !Object.hasOwn(as, key)) continue
    const part = respelled(typeOf(key), value[key], as[key])
    if (part === value[key]) continue
    if (out === value) out = { ...value }
    setKey(out, key, part)
  }
  return out
}

const known = new WeakMap<StructType, readonly string[]>()

/** The fields that contain quantities. */
function fieldsOf(type: StructType): readonly string[] {
  let names = known.get(type)
  if (!names) {
    // ends the recursion for types that refer to themselves
    known.set(type, [])
    names = type.fields.filter(field => holdsQuantities(field.type)).map(field => field.name)
    known.set(type, names)
  }
  return names
}

function holdsQuantities(type: Type): boolean {
  if (type.kind === 'scalar') return type.scalar === 'quantity'
  if (type.kind === 'list') return holdsQuantities(type.items)
  return type.kind === 'map' ? holdsQuantities(type.values) : fieldsOf(type).length > 0
}
