/** Values that an object holds as JSON of any form, such as a ControllerRevision's data. */
import { sortedKeys } from '../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../util/json.js'
import type { ScalarType, StructType, Type } from './model.js'

const known = new WeakMap<StructType, boolean>()

/** Whether objects of a type may hold such values. */
export function holdsRaw(type: Type): boolean {
  const innermost = withoutLists(type)
  if (innermost.kind === 'scalar') return isRaw(innermost)
  if (!known.has(innermost)) learn(innermost)
  return known.get(innermost)!
}

const isRaw = ({ scalar }: ScalarType) => scalar === 'raw' || scalar === 'json'

function withoutLists(type: Type): ScalarType | StructType {
  let inner = type
  while (inner.kind === 'list' || inner.kind === 'map') inner = inner.kind === 'list' ? inner.items : inner.values
  return inner
}

/**
 * Learns it of a type and of all that it leads to, in one pass: types may lead to each other in circles, so none is known before all
 * have been seen. A JSON schema holds schemas.
 */
function learn(root: StructType): void {
  /** For each type, the types that contain it. */
  const holders = new Map<StructType, StructType[]>([[root, []]])
  const holding: StructType[] = []
  // the loop also visits the types that it adds
  for (const type of holders.keys()) {
    for (const field of type.fields) {
      const inner = withoutLists(field.type)
      if (inner.kind === 'scalar' ? isRaw(inner) : known.get(inner)) holding.push(type)
      else if (inner.kind === 'struct' && !known.has(inner)) {
        const others = holders.get(inner)
        if (others) others.push(type)
        else holders.set(inner, [type])
      }
    }
  }
  for (const type of holders.keys()) known.set(type, false)
  for (const type of holding) {
    if (known.get(type)) continue
    known.set(type, true)
    for (const holder of holders.get(type)!) holding.push(holder)
  }
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
