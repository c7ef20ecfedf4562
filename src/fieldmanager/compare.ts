/** What differs between two objects of one type, as sets of field paths (structured-merge-diff's comparison). */
import type { Field, Type } from '../schema/model.js'
import { equalJson } from '../util/json.js'
import { type FieldTree, leaf } from './fields-v1.js'

export interface Comparison {
  /** Paths that are only in the new object, or have another value there; undefined for none. */
  readonly changed: FieldTree | undefined
  /** Paths that are only in the old object. */
  readonly removed: FieldTree | undefined
}

type Value = unknown

/** How the values at a place are compared: struct by struct, key by key, item by item, or as a whole. */
interface Place {
  readonly type: Type
  readonly listType: Field['listType']
  readonly keys: readonly string[] | undefined
  readonly atomic: boolean
}

const placeOfField = (field: Field): Place => ({
  type: field.type,
  listType: field.listType,
  keys: field.listMapKeys,
  atomic: (field.mapType ?? (field.type.kind === 'struct' ? field.type.mapType : undefined)) === 'atomic'
})

const placeOfType = (type: Type): Place => ({ type, listType: undefined, keys: undefined, atomic: type.kind === 'struct' && type.mapType === 'atomic' })

const places = new WeakMap<Field, Place>()

function placeOf(field: Field): Place {
  let place = places.get(field)
  if (!place) places.set(field, (place = placeOfField(field)))
  return place
}

export function compare(type: Type, oldObject: Value, newObject: Value): Comparison {
  const place = placeOfType(type)
  return { changed: walk(place, oldObject, newObject, true), removed: walk(place, newObject, oldObject, false) }
}

/**
 * The paths of `b` that `a` lacks and, when `values` is set, those whose value differs; undefined when there are none.
 * undefined stands for "not there"; null is there.
 */
function walk(place: Place, a: Value, b: Value, values: boolean): FieldTree | undefined {
  if (b === undefined || (a === b && a !== null && typeof a !== 'object')) return undefined
  const self = a === undefined
  if (isLeaf(place, a, b)) return self || (values && !equalJson(a, b)) ? leaf : undefined
  let out: FieldTree | undefined
  const add = (step: string, sub: FieldTree | undefined) => {
    if (sub) (out ??= self ? { '.': leaf } : {})[step] = sub
  }
  const { type } = place
  if (type.kind === 'list') children(place, a, b as Value[], values, add)
  else {
    const from = (a ?? {}) as Record<string, Value>
    for (const [key, value] of Object.entries(b as object)) {
      const old = Object.hasOwn(from, key) ? from[key] : undefined
      if (type.kind === 'struct') {
        const field = type.byName.get(key)
        if (field) add(`f:${key}`, walk(placeOf(field), old, value, values))
      } else if (type.kind === 'map') add(`f:${key}`, walk(placeOfType(type.values), old, value, values))
    }
  }
  return out ?? (self ? leaf : undefined)
}

function children(place: Place, a: Value, b: Value[], values: boolean, add: (step: string, sub: FieldTree | undefined) => void): void {
  const old = Array.isArray(a) ? a : []
  const items = placeOfType((place.type as { items: Type }).items)
  if (place.listType === 'set') {
    const known = new Set(old.map(v => JSON.stringify(v)))
    for (const value of b) {
      const text = JSON.stringify(value)
      if (!known.has(text)) add(`v:${text}`, leaf)
    }
    return
  }
  const byKey = new Map(old.map(item => [keyOf(place, item), item]))
  for (const item of b) {
    const key = keyOf(place, item)
    add(`k:${key}`, walk(items, byKey.get(key), item, values))
  }
}

/** The key of an item as FieldsV1 writes it: JSON of its key fields in alphabetical order, with their defaults. */
export function keyOf(place: { type: Type; keys: readonly string[] | undefined }, item: Value): string {
  const items = (place.type as { items: Type }).items
  const key: Record<string, Value> = {}
  for (const name of [...(place.keys ?? [])].sort()) {
    const value = (item as Record<string, Value>)[name] ?? (items.kind === 'struct' ? items.byName.get(name)?.default : undefined)
    if (value !== undefined) key[name] = value
  }
  return JSON.stringify(key)
}

function isLeaf(place: Place, a: Value, b: Value): boolean {
  const { type } = place
  if (b === null || typeof b !== 'object' || place.atomic) return true
  if (type.kind === 'scalar') return true
  if (type.kind === 'list') {
    if (place.listType !== 'set' && place.listType !== 'map') return true
    return (b as unknown[]).length === 0 && empty(a)
  }
  return empty(b) && empty(a)
}

function empty(value: Value): boolean {
  if (value === undefined || value === null) return true
  if (typeof value !== 'object') return false
  for (const _ in value) return false
  return true
}
