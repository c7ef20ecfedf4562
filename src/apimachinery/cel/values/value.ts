/**
 * Values at run time. Native JavaScript types are used where they match: null, boolean, string, bigint for int, number for
 * double, Uint8Array for bytes. An error is a value, too, because `||` and `&&` can absorb it.
 */

import type { ForeignValue } from '../../../util/go-format.js'
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  type Type,
  timestampType,
  typeType,
  uintType
} from '../types.js'
import { EvaluationPanic, tick } from './steps.js'

export type Value =
  | null
  | boolean
  | string
  | bigint
  | number
  | Uint8Array
  | UInt
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | Optional
  | TypeValue
  | ObjectValue
  | CelError

/** An error, with cel-go's message. */
export class CelError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export const isError = (value: Value): value is CelError => value instanceof CelError

export const noSuchOverload = new CelError('no such overload')

/** An unsigned 64-bit integer. */
export class UInt {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

/** A duration in nanoseconds, within int64. */
export class Duration {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A time in nanoseconds since 1970, in the years 1 to 9999. */
export class Timestamp {
  readonly nanos: bigint
  /** Seconds east of UTC, as given. Only the text of the timestamp shows it. */
  readonly offset: number
  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos
    this.offset = offset
  }
}

/** The value of a type name, and of `type(x)`. */
export class TypeValue {
  readonly type: Type
  constructor(type: Type) {
    this.type = type
  }
}

export class Optional {
  static readonly none = new Optional(undefined)
  readonly value: Value | undefined
  private constructor(value: Value | undefined) {
    this.value = value
  }

  static of(value: Value): Optional {
    return new Optional(value)
  }
}

export abstract class ListValue {
  abstract readonly size: number
  /** Only called for 0 <= i < size. */
  abstract get(i: number): Value

  *[Symbol.iterator](): Generator<Value> {
    for (let i = 0; i < this.size; i++) {
      tick(2)
      yield this.get(i)
    }
  }

  /** Returns this list followed by another one. */
  concat(other: ListValue): Value {
    const size = this.size + other.size
    if (size <= longestCopy) return new ArrayList([...this, ...other])
    return size <= Number.MAX_SAFE_INTEGER ? new ConcatenatedList(this, other, size) : listTooLong
  }

  /** Overridden by lists whose order is irrelevant. */
  equals(other: ListValue, equal: (a: Value, b: Value) => boolean | CelError): boolean | CelError {
    if (this.size !== other.size) return false
    for (let i = 0; i < this.size; i++) {
      const same = equal(this.get(i), other.get(i))
      if (same !== true) return same
    }
    return true
  }
}

export class ArrayList extends ListValue {
  readonly items: readonly Value[]
  constructor(items: readonly Value[]) {
    super()
    this.items = items
  }

  get size(): number {
    return this.items.length
  }

  get(i: number): Value {
    return this.items[i]!
  }
}

export const emptyList = new ArrayList([])

/**
 * Longer lists are not copied when they are concatenated, because that costs 1 whatever their length is: variables can double a
 * list many times.
 */
const longestCopy = 64
/** No evaluation can afford to visit so many items. */
const mostVisits = 2 ** 24
const listTooLong = new CelError('list is too long')

/** Two lists, one after the other. */
export class ConcatenatedList extends ListValue {
  readonly #first: ListValue
  readonly #second: ListValue
  readonly size: number

  constructor(first: ListValue, second: ListValue, size: number) {
    super()
    this.#first = first
    this.#second = second
    this.size = size
  }

  get(i: number): Value {
    let list: ListValue = this
    let at = i
    while (list instanceof ConcatenatedList) {
      tick()
      const { size } = list.#first
      if (at < size) list = list.#first
      else {
        at -= size
        list = list.#second
      }
    }
    return list.get(at)
  }

  override *[Symbol.iterator](): Generator<Value> {
    const open: ListValue[] = [this]
    let visits = 0
    for (let list = open.pop(); list; list = open.pop()) {
      tick()
      if (list instanceof ConcatenatedList) open.push(list.#second, list.#first)
      else
        for (const item of list) {
          if (++visits > mostVisits) throw new EvaluationPanic('operation interrupted')
          yield item
        }
    }
  }
}

export abstract class MapValue {
  abstract readonly size: number
  abstract get(key: Value): Value | undefined
  abstract keys(): Iterable<Value>

  equals(other: MapValue, equal: (a: Value, b: Value) => boolean | CelError): boolean | CelError {
    if (this.size !== other.size) return false
    for (const key of this.keys()) {
      const theirs = other.get(key)
      if (theirs === undefined) return false
      const same = equal(this.get(key)!, theirs)
      if (same !== true) return same
    }
    return true
  }
}

/** A map that an expression constructs. */
export class EntryMap extends MapValue {
  protected readonly entries: ReadonlyMap<string, readonly [Value, Value]>
  constructor(entries: ReadonlyMap<string, readonly [Value, Value]>) {
    super()
    this.entries = entries
  }

  get size(): number {
    return this.entries.size
  }

  get(key: Value): Value | undefined {
    return this.entries.get(mapKey(key) ?? '')?.[1]
  }

  *keys(): Generator<Value> {
    for (const [key] of this.entries.values()) yield key
  }

  /** Returns the map with one more entry; undefined if the key exists already or is invalid. */
  with(key: Value, value: Value): EntryMap | undefined {
    const text = mapKey(key)
    if (text === undefined || this.entries.has(text)) return undefined
    return new EntryMap(new Map(this.entries).set(text, [key, value]))
  }
}

/** Returns the same text for equal keys (1, 1u and 1.0 are equal); undefined for an invalid key. */
export function mapKey(key: Value): string | undefined {
  switch (typeof key) {
    case 'string':
      return `s${key}`
    case 'boolean':
      return `b${key}`
    case 'bigint':
      return `n${key}`
    case 'number':
      return Number.isInteger(key) ? `n${BigInt(key)}` : `n${key}`
    default:
      return key instanceof UInt ? `n${key.value}` : undefined
  }
}

/** A value of a type that a library or a schema defines. */
export abstract class ObjectValue {
  abstract readonly type: Type
  abstract equals(other: ObjectValue): boolean
  /** The size in the cost model. */
  get size(): number | undefined {
    return undefined
  }
  /** Returns the object as Go's fmt prints what kube-apiserver holds in its place; undefined when it holds no other type. */
  get foreign(): ForeignValue | undefined {
    return undefined
  }
  /** Returns a field, if the object has fields. */
  field(_name: string): Value | undefined {
    return undefined
  }
}

const listOfDyn = listType(dynType)
const mapOfDyn = mapType(dynType, dynType)
const optionalOfDyn = optionalType(dynType)

/** Returns the type of a value at run time, without examining elements of lists and entries of maps. */
export function typeOf(value: Value): Type {
  switch (typeof value) {
    case 'boolean':
      return boolType
    case 'string':
      return stringType
    case 'bigint':
      return intType
    case 'number':
      return doubleType
  }
  if (value === null) return nullType
  if (value instanceof ListValue) return listOfDyn
  if (value instanceof MapValue) return mapOfDyn
  if (value instanceof ObjectValue) return value.type
  if (value instanceof Optional) return optionalOfDyn
  if (value instanceof Uint8Array) return bytesType
  if (value instanceof UInt) return uintType
  if (value instanceof Timestamp) return timestampType
  if (value instanceof Duration) return durationType
  if (value instanceof TypeValue) return typeType()
  return errorType
}
