/** Arithmetic. 64-bit integers do not wrap around: an overflow is an error. */
import { timestampOf } from '../values/text.js'
import { CelError, Duration, noSuchOverload, Timestamp, UInt, type Value } from '../values/value.js'

const maxInt = 2n ** 63n - 1n
const minInt = -(2n ** 63n)
const maxUint = 2n ** 64n - 1n

const intOverflow = new CelError('integer overflow')
const uintOverflow = new CelError('unsigned integer overflow')
const durationOverflow = new CelError('duration overflow')
const divisionByZero = new CelError('division by zero')
const modulusByZero = new CelError('modulus by zero')

export const int = (n: bigint): Value => (n > maxInt || n < minInt ? intOverflow : n)
export const uint = (n: bigint): Value => (n > maxUint || n < 0n ? uintOverflow : new UInt(n))
const duration = (n: bigint): Value => (n > maxInt || n < minInt ? durationOverflow : new Duration(n))

function add(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a + b)
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (typeof a === 'number' && typeof b === 'number') return a + b
  if (a instanceof UInt && b instanceof UInt) return uint(a.value + b.value)
  if (a instanceof Duration && b instanceof Duration) return duration(a.nanos + b.nanos)
  if (a instanceof Uint8Array && b instanceof Uint8Array) return new Uint8Array(Buffer.concat([a, b]))
  if (isTime(a) && isTime(b)) return timestampOf(a.nanos + b.nanos, offsetOf(a) + offsetOf(b))
  return noSuchOverload
}

const isTime = (value: Value): value is Timestamp | Duration => value instanceof Timestamp || value instanceof Duration

/** Only one of the two operands has an offset. */
const offsetOf = (time: Timestamp | Duration) => (time instanceof Timestamp ? time.offset : 0)

function subtract(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a - b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (a instanceof UInt && b instanceof UInt) return uint(a.value - b.value)
  if (a instanceof Timestamp && b instanceof Duration) return timestampOf(a.nanos - b.nanos, a.offset)
  if (isTime(a) && isTime(b)) return duration(a.nanos - b.nanos)
  return noSuchOverload
}

function multiply(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return int(a * b)
  if (typeof a === 'number' && typeof b === 'number') return a * b
  if (a instanceof UInt && b instanceof UInt) return uint(a.value * b.value)
  return noSuchOverload
}

function divide(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') return b === 0n ? divisionByZero : int(a / b)
  if (typeof a === 'number' && typeof b === 'number') return a / b
  if (a instanceof UInt && b instanceof UInt) return b.value === 0n ? divisionByZero : uint(a.value / b.value)
  return noSuchOverload
}

function modulo(a: Value, b: Value): Value {
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    if (b === 0n) return modulusByZero
    return a === minInt && b === -1n ? intOverflow : a % b
  }
  if (a instanceof UInt && b instanceof UInt) return b.value === 0n ? modulusByZero : uint(a.value % b.value)
  return noSuchOverload
}

function negate(a: Value): Value {
  if (typeof a === 'bigint') return int(-a)
  return typeof a === 'number' ? -a : noSuchOverload
}

export const arithmetic = { add, subtract, multiply, divide, modulo, negate }
