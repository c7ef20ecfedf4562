/** CEL values for lists of custom resources: atomic lists, sets, and lists with keyed items. */
import { formatType } from '../../cel/types.js'
import { equal } from '../../cel/values/compare.js'
import { tick } from '../../cel/values/steps.js'
import { CelError, ListValue, MapValue, typeOf, type Value } from '../../cel/values/value.js'
import { escapeName } from './escape.js'

/** The items of a list, converted to values on demand. */
export interface Items {
  readonly length: number
  get(i: number): Value
}

export class ItemList extends ListValue {
  protected readonly items: Items
  constructor(items: Items) {
    super()
    this.items = items
  }

  get size(): number {
    return this.items.length
  }

  get(i: number): Value {
    return this.items.get(i)
  }
}

const itemsOf = (values: readonly Value[]): Items => ({ length: values.length, get: i => values[i]! })

/** Making a key takes longer than comparing. */
const stepsPerKey = 8

/** A scalar as a key. */
function scalarKey(value: Value): string {
  tick(stepsPerKey)
  return `${formatType(typeOf(value))} ${String(value)}`
}

const notScalar = new CelError('listSet operations are only supported on lists of scalar values')
const isScalar = (value: Value) => !(value instanceof ListValue || value instanceof MapValue)

/** Returns the keys of a list's items in their order; an error if one of them is no scalar. */
function keysOf(list: ListValue): readonly string[] | CelError {
  const keys: string[] = []
  for (const item of list) {
    if (!isScalar(item)) return notScalar
    keys.push(scalarKey(item))
  }
  return keys
}

/** A set: order is irrelevant, and adding returns the union. */
export class SetList extends ItemList {
  override equals(other: ListValue): boolean | CelError {
    if (this.size !== other.size) return false
    const keys = keysOf(this)
    if (keys instanceof CelError) return keys
    const mine = new Set(keys)
    const seen = new Set<string>()
    for (const item of other) {
      if (!isScalar(item)) return notScalar
      const key = scalarKey(item)
      if (!mine.has(key)) return false
      seen.add(key)
    }
    return seen.size === mine.size
  }

  override concat(other: ListValue): Value {
    const values = [...this]
    const keys = keysOf(this)
    if (keys instanceof CelError) return keys
    const seen = new Set(keys)
    for (const item of other) {
      if (!isScalar(item)) return notScalar
      const key = scalarKey(item)
      if (!seen.has(key)) values.push(item)
      seen.add(key)
    }
    return new SetList(itemsOf(values))
  }
}

/** A list with keyed items: order is irrelevant, and adding replaces items with the same keys. */
export class MapList extends ItemList {
  readonly #keys: readonly string[]
  /** Whether this list is a sum of others. */
  readonly #isSum: boolean
  constructor(items: Items, keys: readonly string[], isSum = false) {
    super(items)
    this.#keys = keys
    this.#isSum = isSum
  }

  #keyOf(item: Value, keys = this.#keys): string {
    if (!(item instanceof MapValue)) return ''
    return JSON.stringify(keys.map(k => scalarKey(item.get(escapeName(k) ?? k) ?? null)))
  }

  /** Outside of sums, kube-apiserver compares items without the keys that expressions know by another name, as __if__. */
  get #compared(): readonly string[] {
    return this.#isSum ? this.#keys : this.#keys.filter(key => (escapeName(key) ?? key) === key)
  }

  override equals(other: ListValue): boolean | CelError {
    if (this.size !== other.size) return false
    const keys = this.#compared
    const mine = new Map([...this].map(item => [this.#keyOf(item, keys), item]))
    const seen = new Set<string>()
    for (const item of other) {
      const key = this.#keyOf(item, keys)
      const own = mine.get(key)
      if (own === undefined) return false
      const same = equal(own, item)
      if (same !== true) return same
      seen.add(key)
    }
    return seen.size === mine.size
  }

  override concat(other: ListValue): Value {
    const values = [...this]
    const places = new Map(values.map((item, i) => [this.#keyOf(item), i]))
    for (const item of other) {
      const place = places.get(this.#keyOf(item))
      if (place === undefined) values.push(item)
      else values[place] = item
    }
    return new MapList(itemsOf(values), this.#keys, true)
  }
}
