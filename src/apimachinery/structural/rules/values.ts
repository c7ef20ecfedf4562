/** Custom resources as CEL values of the types that their schemas declare. Values wrap JSON on demand. */

import { goType } from '../../../util/go-format.js'
import { equalJson, getKey, isObject, type JsonObject } from '../../../util/json.js'
import { dynType } from '../../cel/types.js'
import { equal } from '../../cel/values/compare.js'
import { tickKeys } from '../../cel/values/steps.js'
import { parseDate, parseDuration, parseTimestamp } from '../../cel/values/text.js'
import { CelError, Duration, MapValue, noSuchOverload, ObjectValue, Timestamp, type Value } from '../../cel/values/value.js'
import type { StructuralSchema } from '../structural.js'
import { escapeName, unescapeName } from './escape.js'
import { ItemList, MapList, SetList } from './list-values.js'
import { withTypeAndObjectMeta } from './resource-root.js'

const invalid = (expected: string) => new CelError(`invalid data, expected ${expected}`)

export function schemaValue(json: unknown, schema: StructuralSchema): Value {
  if (json === null || json === undefined)
    return schema.nullable ? null : new CelError('invalid data, got null for schema with nullable=false')
  if (schema.intOrString) return intOrString(json)
  switch (schema.type) {
    case 'object':
      if (!isObject(json)) return invalid('a map for the provided schema with type=object')
      return new ObjectMap(json, schema.embeddedResource ? withTypeAndObjectMeta(schema) : schema)
    case 'array':
      if (!Array.isArray(json)) return invalid('an array for the provided schema with type=array')
      return listValue(json, schema)
    case 'string':
      return typeof json === 'string' ? textValue(json, schema.source.format) : invalid(`string, got ${goType(json)}`)
    case 'number':
      return typeof json === 'number' || typeof json === 'bigint' ? Number(json) : invalid(`float, got ${goType(json)}`)
    case 'integer':
      return integer(json) ?? invalid(`int, got ${goType(json)}`)
    case 'boolean':
      return typeof json === 'boolean' ? json : invalid(`bool, got ${goType(json)}`)
    default:
      return new UnknownValue(json)
  }
}

function integer(json: unknown): bigint | undefined {
  if (typeof json === 'bigint') return json
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined
}

function intOrString(json: unknown): Value {
  if (typeof json === 'string') return json
  return integer(json) ?? invalid('XIntOrString value to be either a string or integer')
}

function textValue(text: string, format: string | undefined): Value {
  switch (format) {
    case 'duration':
      return (
        parseDuration(text) ??
        wordedDuration(text) ??
        new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`)
      )
    case 'date':
      return parseDate(text) ?? new CelError(`Invalid date formatted string ${text}`)
    case 'date-time':
      return text === ''
        ? new Timestamp(0n)
        : (parseTimestamp(text) ?? new CelError(`Invalid date-time formatted string ${text}`))
    case 'byte':
      return new Uint8Array(Buffer.from(text, 'base64'))
    default:
      return text
  }
}

const wordUnits: readonly (readonly [RegExp, bigint])[] = [
  [/^(ns|nano.*)$/, 1n],
  [/^(us|µs|micro.*)$/, 1000n],
  [/^(ms|milli.*)$/, 1_000_000n],
  [/^(s|sec.*)$/, 1_000_000_000n],
  [/^(m|min.*)$/, 60_000_000_000n],
  [/^(h|hr|hour.*)$/, 3_600_000_000_000n],
  [/^(d|day.*)$/, 86_400_000_000_000n],
  [/^(w|wk|week.*)$/, 604_800_000_000_000n]
]

/** More digits than any valid duration has. */
const longestCount = 30

/** Parses "3 days 2 hrs": the format allows units that Go's durations lack. */
function wordedDuration(text: string): Duration | undefined {
  let nanos: bigint | undefined
  for (const [, count, word] of text.matchAll(/(?<!\d)(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = wordUnits.find(([names]) => names.test(word!.toLowerCase()))
    if (unit) nanos = (nanos ?? 0n) + BigInt(count!.slice(0, longestCount)) * unit[1]
  }
  return nanos === undefined ? undefined : new Duration(nanos)
}

/** A preserved value without a schema: rules can only compare it. */
class UnknownValue extends ObjectValue {
  readonly type = dynType
  readonly #json: unknown
  constructor(json: unknown) {
    super()
    this.#json = json
  }

  equals(other: ObjectValue): boolean {
    return other instanceof UnknownValue && equalJson(this.#json, other.#json)
  }
}

/** An object with properties, whose names are escaped, or a map with arbitrary keys, which are not. */
class ObjectMap extends MapValue {
  readonly json: JsonObject
  readonly #schema: StructuralSchema
  #known: readonly string[] | undefined

  constructor(json: JsonObject, schema: StructuralSchema) {
    super()
    this.json = json
    this.#schema = schema
  }

  get size(): number {
    return this.#names.length
  }

  get #names(): readonly string[] {
    if (!this.#known) {
      this.#known = Object.keys(this.json)
      tickKeys(this.#known.length)
    }
    return this.#known
  }

  #schemaOf(name: string): StructuralSchema | undefined {
    const { properties, additionalProperties } = this.#schema
    if (properties) return properties.get(name)
    return typeof additionalProperties === 'object' ? additionalProperties : undefined
  }

  get(key: Value): Value | undefined {
    if (typeof key !== 'string') return noSuchOverload
    const name = this.#schema.properties ? unescapeName(key) : key
    return name === undefined ? undefined : this.#property(name)
  }

  /** Returns a property; null of a nullable property counts as missing. */
  #property(name: string): Value | undefined {
    const json = getKey(this.json, name)
    if (json === undefined || (json === null && this.#schema.properties)) return undefined
    const schema = this.#schemaOf(name)
    return schema && schemaValue(json, schema)
  }

  *keys(): Generator<Value> {
    for (const name of this.#names) if (this.#schemaOf(name)) yield this.#schema.properties ? (escapeName(name) ?? name) : name
  }

  override equals(other: MapValue): boolean | CelError {
    if (this.size !== other.size) return false
    for (const name of this.#names) {
      const same = this.#samePropertyAs(other, name)
      if (same !== true) return same
    }
    return true
  }

  #samePropertyAs(other: MapValue, name: string): boolean | CelError {
    if (!this.#schemaOf(name)) {
      if (!(other instanceof ObjectMap)) return noSuchOverload
      const theirs = getKey(other.json, name)
      return theirs === undefined || equalJson(this.json[name], theirs)
    }
    const mine = this.#property(name)
    const theirs = other instanceof ObjectMap ? other.#property(name) : other.get(name)
    return mine === undefined || theirs === undefined ? mine === theirs : equal(mine, theirs)
  }
}

function listValue(json: readonly unknown[], schema: StructuralSchema): Value {
  if (!schema.items) return new CelError('invalid array type, expected Items with a non-empty Schema')
  const { items: itemSchema } = schema
  const items = { length: json.length, get: (i: number) => schemaValue(json[i], itemSchema) }
  if (schema.listType === 'set') return new SetList(items)
  if (schema.listType === 'map') return new MapList(items, schema.listMapKeys)
  return new ItemList(items)
}
