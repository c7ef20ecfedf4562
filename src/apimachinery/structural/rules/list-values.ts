/** CEL values for lists of custom resources: atomic lists, sets, and lists with keyed items. */
import { formatType } from '../../cel/types.js'
import { equal } from '../../cel/values/compare.js'
import { tick } from '../../cel/values/steps.js'
import { type CelError, ListValue, MapValue, typeOf, type Value } from '../../cel/values/value.js'
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

/** A scalar as a key. Sets contain only scalars. */
function scalarKey(value: Value): string {
  tick(stepsPerKey)
  return `${formatType(typeOf(value))} ${String(value)}`
}

/** A set: order is irrelevant, and adding returns the union. */
export class SetList extends ItemList {
  override equals(other: ListValue): boolean {
    if (this.size !== other.size) return false
    const mine = new Set([...this].map(scalarKey))
    for (const item of other) if (!mine.has(scalarKey(item))) return false
    return true
  }

  override concat(other: ListValue): Value {
    const values = [...this]
    const seen = new Set(values.map(scalarKey))
    for (const item of other) {
      if (!seen.has(scalarKey(item))) values.push(item)
      seen.add(scalarKey(item))
    }
    return new SetList(itemsOf(values))
  }
}

/** A list with keyed items: order is irrelevant, and adding replaces items with the same keys. */
export class MapList extends ItemList {
  readonly #keys: readonly string[]
  constructor(items: Items, keys: readonly string[]) {
    super(items)
    this.#keys = keys
  }

  #keyOf(item: Value): string {
    if (!(item instanceof MapValue)) return ''
    return JSON.stringify(this.#keys.map(k => scalarKey(item.get(escapeName(k) ?? k) ?? null)))
  }

  override equals(other: ListValue): boolean | CelError {
    if (this.size !== other.size) return false
    const mine = new Map([...this].map(item => [this.#keyOf(item), item]))
    for (const item of other) {
      const own = mine.get(this.#keyOf(item))
      if (own === undefined) return false
      const same = equal(own, item)
      if (same !== true) return same
    }
    return true
  }

  override concat(other: ListValue): Value {
    const values = [...this]
    const places = new Map(values.map((item, i) => [this.#keyOf(item), i]))
    for (const item of other) {
      const place = places.get(this.#keyOf(item))
      if (place === undefined) values.push(item)
      else values[place] = item
    }
    return new MapList(itemsOf(values), this.#keys)
  }
}
