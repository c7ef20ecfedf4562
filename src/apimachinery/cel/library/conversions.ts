/** Conversions between the basic types. */
import type { CallCost } from '../cost/call-cost.js'
import { scale, unknownSize } from '../cost/estimate-range.js'
import { perCharacter } from '../cost/rates.js'
import { actualSize } from '../cost/sizes.js'
import { type Library, overload } from '../declarations.js'
import { formatDouble } from '../values/numbers.js'
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp, timestampOf } from '../values/text.js'
import { CelError, type Duration, type Timestamp, TypeValue, typeOf, UInt, type Value } from '../values/value.js'
import { int, uint } from './arithmetic.js'

const same = (a: Value) => a
const failed = (from: string, to: string) => new CelError(`type conversion error from '${from}' to '${to}'`)

/** The result may have up to four times as many bytes as the text has characters; the reverse conversion may shrink as much. */
const textToBytes: CallCost = {
  estimate: ([text]) => {
    const size = text?.size ?? unknownSize
    return { cost: scale(size, perCharacter), size: { min: size.min, max: Math.min(size.max * 4, 2 ** 64) } }
  },
  actual: ([text]) => Math.ceil(actualSize(text!) * perCharacter)
}
const bytesToText: CallCost = {
  estimate: ([bytes]) => {
    const size = bytes?.size ?? unknownSize
    return { cost: scale(size, perCharacter), size: { min: Math.floor(size.min / 4), max: size.max } }
  },
  actual: textToBytes.actual
}

function parseInteger(text: string): bigint | undefined {
  return /^[-+]?\d+$/.test(text) && text.length < 100 ? BigInt(text.replace(/^\+/, '')) : undefined
}

const doublePattern = /^[-+]?(\d+(\.\d*)?([eE][-+]?\d+)?|\.\d+([eE][-+]?\d+)?)$/
const hexPattern = /^([-+]?)0[xX](?=\.?[0-9a-fA-F])([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([-+]?\d{1,9})$/

/** Parses as Go's strconv.ParseFloat does, which also accepts hexadecimal numbers, and underscores between digits. */
function parseDouble(text: string): Value {
  const special = /^([-+]?)(inf|infinity|nan)$/i.exec(text)
  if (special) {
    if (special[2]!.toLowerCase() === 'nan') return special[1] === '' ? Number.NaN : failed('string', 'double')
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }
  const plain = text.replace(/(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])/g, '')
  const hex = hexPattern.exec(plain)
  const value = hex ? hexDouble(hex) : doublePattern.test(plain) ? Number(plain) : Number.NaN
  return Number.isFinite(value) ? value : failed('string', 'double')
}

function hexDouble([, sign, whole = '', fraction = '', exponent]: RegExpExecArray): number {
  const magnitude = Number(BigInt(`0x0${whole}${fraction}`)) * 2 ** (Number(exponent) - 4 * fraction.length)
  return sign === '-' ? -magnitude : magnitude
}

const truths = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map(text => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map(text => [text, false] as const)
])

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function bytesToString(bytes: Uint8Array): Value {
  try {
    return utf8.decode(bytes)
  } catch {
    return new CelError('invalid UTF-8 in bytes, cannot convert to string')
  }
}

function truncate(value: number, convert: (n: bigint) => Value, limits: readonly [number, number], words: string): Value {
  return Number.isNaN(value) || value <= limits[0] || value >= limits[1]
    ? new CelError(words)
    : convert(BigInt(Math.trunc(value)))
}

export const conversions: Library = {
  functions: {
    bool: [
      overload('bool_to_bool', 'bool -> bool', same),
      overload('string_to_bool', 'string -> bool', (s: string) => truths.get(s) ?? failed('string', 'bool'))
    ],
    bytes: [
      overload('bytes_to_bytes', 'bytes -> bytes', same),
      overload('string_to_bytes', 'string -> bytes', (s: string) => new Uint8Array(Buffer.from(s)), { cost: textToBytes })
    ],
    double: [
      overload('double_to_double', 'double -> double', same),
      overload('int64_to_double', 'int -> double', (n: bigint) => Number(n)),
      overload('string_to_double', 'string -> double', parseDouble),
      overload('uint64_to_double', 'uint -> double', (n: UInt) => Number(n.value))
    ],
    duration: [
      overload('duration_to_duration', 'duration -> duration', same),
      overload(
        'string_to_duration',
        'string -> duration',
        (s: string) => parseDuration(s) ?? failed('string', 'google.protobuf.Duration')
      )
    ],
    dyn: [overload('to_dyn', 'A -> dyn', same)],
    int: [
      overload('int64_to_int64', 'int -> int', same),
      overload('double_to_int64', 'double -> int', (d: number) => truncate(d, int, [-(2 ** 63), 2 ** 63], 'integer overflow')),
      overload('duration_to_int64', 'duration -> int', (d: Duration) => d.nanos),
      overload('string_to_int64', 'string -> int', (s: string) => {
        const value = parseInteger(s)
        const fits = value === undefined ? undefined : int(value)
        return typeof fits === 'bigint' ? fits : failed('string', 'int')
      }),
      overload('timestamp_to_int64', 'timestamp -> int', (t: Timestamp) => floorSeconds(t.nanos)),
      overload('uint64_to_int64', 'uint -> int', (n: UInt) => int(n.value))
    ],
    string: [
      overload('string_to_string', 'string -> string', same),
      overload('bool_to_string', 'bool -> string', (b: boolean) => String(b)),
      overload('bytes_to_string', 'bytes -> string', bytesToString, { cost: bytesToText }),
      overload('double_to_string', 'double -> string', formatDouble),
      overload('duration_to_string', 'duration -> string', formatDuration),
      overload('int64_to_string', 'int -> string', (n: bigint) => String(n)),
      overload('timestamp_to_string', 'timestamp -> string', formatTimestamp),
      overload('uint64_to_string', 'uint -> string', (n: UInt) => String(n.value))
    ],
    timestamp: [
      overload('timestamp_to_timestamp', 'timestamp -> timestamp', same),
      overload('int64_to_timestamp', 'int -> timestamp', (n: bigint) => timestampOf(n * 1_000_000_000n)),
      overload('string_to_timestamp', 'string -> timestamp', (s: string) => {
        const parsed = parseTimestamp(s)
        return parsed ? timestampOf(parsed.nanos, parsed.offset) : failed('string', 'google.protobuf.Timestamp')
      })
    ],
    type: [overload('type', 'A -> type(A)', (a: Value) => new TypeValue(typeOf(a)))],
    uint: [
      overload('uint64_to_uint64', 'uint -> uint', same),
      overload('double_to_uint64', 'double -> uint', (d: number) =>
        truncate(d, uint, [-Number.MIN_VALUE, 2 ** 64], 'unsigned integer overflow')
      ),
      overload('int64_to_uint64', 'int -> uint', (n: bigint) => uint(n)),
      overload('string_to_uint64', 'string -> uint', (s: string) => {
        const value = /^\d+$/.test(s) && s.length < 100 ? uint(BigInt(s)) : undefined
        return value instanceof UInt ? value : failed('string', 'uint')
      })
    ]
  }
}

function floorSeconds(nanos: bigint): bigint {
  const seconds = nanos / 1_000_000_000n
  return nanos < 0n && seconds * 1_000_000_000n !== nanos ? seconds - 1n : seconds
}
