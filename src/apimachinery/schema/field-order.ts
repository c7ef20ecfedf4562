/** The order in which Go writes the fields of an object. Stored objects have no fixed order, for speed. */
import { readFileSync } from 'node:fs'
import { sortedKeys } from '../../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../../util/json.js'
import type { Field, StructType, Type } from './model.js'

let orders: Record<string, readonly string[]> | undefined

function orderOf(type: StructType): readonly string[] {
  orders ??= JSON.parse(readFileSync(new URL('./generated/field-order.json', import.meta.url), 'utf8'))
  return orders![type.name] ?? type.fields.map(field => field.name)
}

/** The fields of a struct in the order in which Go declares them. */
export const inGoOrder = (type: StructType): Field[] => orderOf(type).flatMap(name => type.byName.get(name) ?? [])

/** Copies a value with its fields in Go's order and the keys of its maps sorted. Fields that the type lacks come last. */
export function inFieldOrder(type: Type, value: unknown): unknown {
  if (Array.isArray(value)) return type.kind === 'list' ? value.map(item => inFieldOrder(type.items, item)) : value
  if (!isObject(value) || (type.kind !== 'struct' && type.kind !== 'map')) return value
  const out: JsonObject = {}
  const names = type.kind === 'map' ? sortedKeys(value) : new Set([...orderOf(type), ...Object.keys(value)])
  for (const name of names) {
    if (!Object.hasOwn(value, name)) continue
    const below = type.kind === 'map' ? type.values : type.byName.get(name)?.type
    setKey(out, name, below ? inFieldOrder(below, value[name]) : value[name])
  }
  return out
}
