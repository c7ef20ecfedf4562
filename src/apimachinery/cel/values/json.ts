/** JSON as values of dynamic type, wrapped on demand and without copies. */
import { getKey, isObject, type JsonObject } from '../../../util/json.js'
import { tickKeys } from './steps.js'
import { CelError, ListValue, MapValue, type Value } from './value.js'

/** Wraps a value. Whole numbers are ints, as in an object that Go has decoded. */
export function jsonValue(json: unknown): Value {
  switch (typeof json) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return json
    case 'number':
      return Number.isInteger(json) && Math.abs(json) < 2 ** 63 ? BigInt(json) : json
  }
  if (json === null || json === undefined) return null
  if (Array.isArray(json)) return new JsonList(json)
  if (isObject(json)) return new JsonMap(json)
  return new CelError(`unsupported type: ${typeof json}`)
}

/** A list of JSON, whose items become values when an expression looks at them. */
export class JsonList extends ListValue {
  protected readonly items: readonly unknown[]
  constructor(items: readonly unknown[]) {
    super()
    this.items = items
  }

  get size(): number {
    return this.items.length
  }

  get(i: number): Value {
    return jsonValue(this.items[i])
  }
}

/** An object of JSON, whose fields become values when an expression looks at them. */
export class JsonMap extends MapValue {
  protected readonly object: JsonObject
  #keys: readonly string[] | undefined
  constructor(object: JsonObject) {
    super()
    this.object = object
  }

  get size(): number {
    return this.keys().length
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const value = getKey(this.object, key)
    return value === undefined ? undefined : jsonValue(value)
  }

  keys(): readonly string[] {
    if (!this.#keys) {
      this.#keys = Object.keys(this.object)
      tickKeys(this.#keys.length)
    }
    return this.#keys
  }
}
