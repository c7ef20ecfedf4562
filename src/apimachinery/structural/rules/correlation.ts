/** Finds the old state of a part of an object, and whether the part has changed. */
import { equalJson, getKey, isObject } from '../../../util/json.js'
import type { StructuralSchema } from '../structural.js'

/** Returns the old item with the same keys, in a list with keyed items. */
export function oldItem(schema: StructuralSchema, oldList: unknown, item: unknown): unknown {
  if (schema.listType !== 'map' || schema.listMapKeys.length === 0 || !Array.isArray(oldList)) return undefined
  const key = itemKey(schema, item)
  return key === undefined ? undefined : itemsByKey(schema, oldList).get(key)
}

const indexes = new WeakMap<StructuralSchema, WeakMap<readonly unknown[], ReadonlyMap<string, unknown>>>()

/**
 * Maps keys to items; of several items with one key, to the first. Built once for a list, because every new item is looked up.
 */
function itemsByKey(schema: StructuralSchema, list: readonly unknown[]): ReadonlyMap<string, unknown> {
  let ofSchema = indexes.get(schema)
  if (!ofSchema) indexes.set(schema, (ofSchema = new WeakMap()))
  let index = ofSchema.get(list)
  if (!index) {
    const items = new Map<string, unknown>()
    for (const item of list) {
      const key = itemKey(schema, item)
      if (key !== undefined && !items.has(key)) items.set(key, item)
    }
    ofSchema.set(list, (index = items))
  }
  return index
}

function itemKey({ listMapKeys }: StructuralSchema, item: unknown): string | undefined {
  if (!isObject(item)) return undefined
  const values = listMapKeys.map(key => getKey(item, key))
  // a missing key counts as a key if it is the only one
  const isKeyed = listMapKeys.length === 1 || values.every(v => v !== undefined && v !== null && typeof v !== 'object')
  return isKeyed ? JSON.stringify(values, (_, v) => (typeof v === 'bigint' ? `n${v}` : v)) : undefined
}

/** A part of an object together with its old state. */
export class Correlated {
  readonly #schema: StructuralSchema
  readonly #value: unknown
  readonly #old: unknown
  #unchanged: boolean | undefined

  constructor(schema: StructuralSchema, value: unknown, old: unknown) {
    this.#schema = schema
    this.#value = value
    this.#old = old
  }

  /** Returns undefined if the field is new, removed or undeclared. */
  key(name: string): Correlated | undefined {
    if (!isObject(this.#value) || !isObject(this.#old)) return undefined
    const value = getKey(this.#value, name)
    const old = getKey(this.#old, name)
    const { properties, additionalProperties } = this.#schema
    const schema = properties?.get(name) ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    return value === undefined || old === undefined || !schema ? undefined : new Correlated(schema, value, old)
  }

  /** Returns undefined for items without keys, and for new items. */
  index(i: number): Correlated | undefined {
    const { items } = this.#schema
    if (!Array.isArray(this.#value) || !items) return undefined
    const old = oldItem(this.#schema, this.#old, this.#value[i])
    return old === undefined ? undefined : new Correlated(items, this.#value[i], old)
  }

  get unchanged(): boolean {
    this.#unchanged ??= this.#isUnchanged()
    return this.#unchanged
  }

  #isUnchanged(): boolean {
    const [value, old] = [this.#value, this.#old]
    if (Array.isArray(value)) {
      if (!Array.isArray(old) || old.length !== value.length) return false
      return this.#schema.listType === 'map' ? value.every((_, i) => this.index(i)?.unchanged === true) : equalJson(value, old)
    }
    if (!isObject(value)) return equalJson(value, old)
    const names = Object.keys(value)
    return isObject(old) && names.length === Object.keys(old).length && names.every(name => this.key(name)?.unchanged === true)
  }
}
