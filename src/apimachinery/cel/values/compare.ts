/** Equality and order. Numbers of different types compare by value; other values compare only within their type. */
import { tick, tickText } from './steps.js'
import {
  CelError,
  Duration,
  isError,
  ListValue,
  MapValue,
  noSuchOverload,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
  UInt,
  type Value
} from './value.js'

export function equal(a: Value, b: Value): boolean | CelError {
  tick()
  if (isError(a)) return a
  if (isError(b)) return b
  if (a === null || b === null) return a === b
  switch (typeof a) {
    case 'string':
      // texts of different lengths are not read
      if (typeof b === 'string' && a.length === b.length) tickText(a.length)
      return a === b
    case 'boolean':
      return a === b
    case 'bigint':
    case 'number':
      return isNumber(b) && compareNumbers(a, b) === 0
  }
  if (a instanceof UInt) return isNumber(b) && compareNumbers(a, b) === 0
  if (a instanceof ListValue) return b instanceof ListValue && a.equals(b, equal)
  if (a instanceof MapValue) return b instanceof MapValue ? a.equals(b, equal) : false
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanos === b.nanos
  if (a instanceof Duration) return b instanceof Duration && a.nanos === b.nanos
  if (a instanceof TypeValue) return b instanceof TypeValue && a.type.name === b.type.name
  if (a instanceof Optional) return b instanceof Optional && equalOptionals(a, b)
  if (b instanceof ObjectValue && a.type.name === b.type.name) return a.equals(b)
  return noSuchOverload
}

function equalOptionals(a: Optional, b: Optional): boolean | CelError {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return equal(a.value, b.value)
}

type NumberValue = bigint | number | UInt

const isNumber = (value: Value): value is NumberValue =>
  typeof value === 'bigint' || typeof value === 'number' || value instanceof UInt

/** NaN is unequal to everything. An integer beside a double is compared as a double, and so loses digits beyond 2^53. */
function compareNumbers(a: NumberValue, b: NumberValue): -1 | 0 | 1 | undefined {
  const x = a instanceof UInt ? a.value : a
  const y = b instanceof UInt ? b.value : b
  return typeof x === typeof y ? compareSame(x, y) : compareSame(Number(x), Number(y))
}

const compareSame = (x: bigint | number, y: bigint | number) => (x < y ? -1 : x > y ? 1 : x === y ? 0 : undefined)

/** Returns -1, 0 or 1. Strings compare by their bytes, as in Go. */
export function compare(a: Value, b: Value): -1 | 0 | 1 | CelError {
  tick()
  if (isError(a)) return a
  if (isError(b)) return b
  if (isNumber(a) && isNumber(b)) {
    const order = compareNumbers(a, b)
    return order ?? nanOrder
  }
  if (typeof a === 'string' && typeof b === 'string') {
    tickText(Math.min(a.length, b.length))
    return a === b ? 0 : sign(compareStrings(a, b))
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return sign(Number(a) - Number(b))
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sign(Buffer.compare(a, b))
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos)
  if (a instanceof Duration && b instanceof Duration) return order(a.nanos, b.nanos)
  return noSuchOverload
}

const nanOrder = new CelError('NaN values cannot be ordered')

const sign = (n: number) => (n < 0 ? -1 : n > 0 ? 1 : 0)
const order = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/** Compares by code points, which is the order of the UTF-8 bytes. */
function compareStrings(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    const surrogateX = x >= 0xd800 && x <= 0xdfff
    const surrogateY = y >= 0xd800 && y <= 0xdfff
    return surrogateX === surrogateY ? x - y : surrogateX ? 1 : -1
  }
  return a.length - b.length
}

/** Whether a list contains a value, or a map a key. */
export function contains(container: Value, item: Value): boolean | CelError {
  if (container instanceof MapValue) {
    const found = container.get(item)
    return found !== undefined && isError(found) ? found : found !== undefined
  }
  if (!(container instanceof ListValue)) return noSuchOverload
  for (const element of container) if (equal(item, element) === true) return true
  return false
}
