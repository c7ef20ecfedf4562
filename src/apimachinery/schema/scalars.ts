/** Decodes scalar values as kube-apiserver's typed codec does: into the canonical form, or to Go's error. */

import { exactJson } from '../../util/exact-json.js'
import { readDuration } from '../../util/go-duration.js'
import { canonicalQuantity, QuantityError } from '../../util/quantity.js'
import { goSeconds } from '../../util/time.js'
import type { Scalar, ScalarType } from './model.js'

/** A JSON value of the wrong type for its Go field. The caller that knows the place adds it. */
export class TypeMismatch extends Error {
  /** "string", "number", "number 1.5", "bool", "object", "array" */
  readonly value: string
  readonly go: string
  /** "spec.containers.name", if known; then `struct` is the Go type that contains the last field. */
  readonly field: string
  constructor(value: string, go: string, struct = '', field = '') {
    super(`json: cannot unmarshal ${value} into Go ${struct === '' ? 'value' : `struct field ${struct}.${field}`} of type ${go}`)
    this.value = value
    this.go = go
    this.field = field
  }
}

/** A value that its Go type's own decoder refuses. The message stands alone, without a place. */
export class ScalarError extends Error {}

export function describeJson(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value
}

const wrongType = (value: unknown, go: string) => new TypeMismatch(describeJson(value), go)

/** Types with their own Go decoder. Its error ends the decoding; with other types Go continues and reports the first error. */
export const decodesItself: ReadonlySet<Scalar> = new Set<Scalar>([
  'quantity',
  'intOrString',
  'time',
  'microTime',
  'duration',
  'schemaOrArray',
  'schemaOrBool',
  'schemaOrStringArray'
])

function integer(value: unknown, min: number, max: number, go: string): number {
  if (typeof value === 'bigint') throw new TypeMismatch(`number ${value}`, go)
  if (typeof value !== 'number') throw wrongType(value, go)
  if (!Number.isInteger(value) || value < min || value > max) throw new TypeMismatch(`number ${value}`, go)
  return value
}

/** Go's time layouts for metav1.Time and metav1.MicroTime. */
const timeLayouts = { time: '2006-01-02T15:04:05Z07:00', microTime: '2006-01-02T15:04:05.000000Z07:00' }
/** Go takes an hour of one digit. */
const rfc3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/
const alreadyCanonical = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

function time(value: unknown, kind: 'time' | 'microTime'): string | null {
  if (typeof value !== 'string') throw wrongType(value, 'string')
  if (kind === 'time' && alreadyCanonical.test(value)) return value === '0001-01-01T00:00:00Z' ? null : value
  const match = value.length <= 64 ? rfc3339.exec(kind === 'microTime' ? withoutSign(value) : value) : null
  const layout = timeLayouts[kind]
  if (!match) throw new ScalarError(timeSyntax(value, layout))
  const fraction = match[7]
  if (kind === 'microTime' && fraction?.length !== 6) throw new ScalarError(timeSyntax(value, layout))
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const range = (what: string) => new ScalarError(`parsing time ${quote(value)}: ${what} out of range`)
  if (month < 1 || month > 12) throw range('month')
  if (hour > 23) throw range('hour')
  if (minute > 59) throw range('minute')
  if (second > 59) throw range('second')
  const zone = match[8]!
  const [zoneHours, zoneMinutes] = zone === 'Z' ? [0, 0] : [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))]
  // some clients write 24 hours or 60 minutes
  if (zoneMinutes > 60) throw range('time zone offset minute')
  if (zoneHours > 24) throw range('time zone offset hour')
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) throw range('day')
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  date.setTime(date.getTime() - (zone[0] === '-' ? -1 : 1) * (zoneHours * 60 + zoneMinutes) * 60_000)
  const seconds = goSeconds(date)
  if (kind === 'time') return seconds === '0001-01-01T00:00:00' ? null : `${seconds}Z`
  return seconds === '0001-01-01T00:00:00' && Number(fraction) === 0 ? null : `${seconds}.${fraction}Z`
}

/** Go reads microseconds as an integer, which may have a sign. */
const withoutSign = (value: string) => value.replace(/(?<=[.,])(?:\+(?=\d{5}\D)|-(?=0{5}\D))/, '0')

/** Returns how many bytes of the rest an element takes, what is out of its range, or undefined where it does not fit. */
type LayoutElement = readonly [element: string, take: (rest: string) => number | string | undefined]

const plain = (element: string, pattern: RegExp): LayoutElement => [element, rest => pattern.exec(rest)?.[0].length]

/** An element that begins with a number. */
const ranged = (element: string, pattern: RegExp, what: string, from: number, to: number): LayoutElement => [
  element,
  rest => {
    const found = pattern.exec(rest)?.[0]
    const number = Number(found?.slice(0, 2))
    return found !== undefined && (number < from || number > to) ? what : found?.length
  }
]

const secondsWithFraction: LayoutElement[] = [ranged('05', /^\d\d(?:[.,]\d+)?/, 'second', 0, 59)]
const microseconds: LayoutElement[] = [
  ranged('05', /^\d\d/, 'second', 0, 59),
  [
    '.000000',
    rest => {
      const found = /^[.,](?:\d|[-+](?=\d))\d{5}/.exec(rest)?.[0]
      return found?.[1] === '-' && Number(found.slice(2)) > 0 ? 'fractional second' : found?.length
    }
  ]
]

/** Go looks at the range of hour and minute before it minds the sign, or digits that are none. */
function takeZone(rest: string): number | string | undefined {
  if (rest[0] === 'Z') return 1
  if (rest.length < 6 || rest[3] !== ':') return undefined
  const [hour, minute] = [rest.slice(1, 3), rest.slice(4, 6)]
  const isNumber = (text: string) => /^\d\d$/.test(text)
  if (!isNumber(hour)) return undefined
  if (isNumber(minute) && Number(minute) > 60) return 'time zone offset minute'
  if (Number(hour) > 24) return 'time zone offset hour'
  return isNumber(minute) && /^[+-]/.test(rest) ? 6 : undefined
}

/**
 * Returns Go's message for a time that does not follow the layout: it names the rest of the text from the first mismatch on, unless a number before that is
 * out of its range.
 */
function timeSyntax(value: string, layout: string): string {
  const elements: LayoutElement[] = [
    plain('2006', /^\d{4}/),
    plain('-', /^-/),
    ranged('01', /^\d\d/, 'month', 1, 12),
    plain('-', /^-/),
    plain('02', /^\d\d/),
    plain('T', /^T/),
    ranged('15', /^\d\d?/, 'hour', 0, 23),
    plain(':', /^:/),
    ranged('04', /^\d\d/, 'minute', 0, 59),
    plain(':', /^:/),
    ...(layout.includes('.000000') ? microseconds : secondsWithFraction),
    ['Z07:00', takeZone]
  ]
  const start = `parsing time ${quote(value)}`
  let rest = bytesOf(value)
  for (const [element, take] of elements) {
    const taken = take(rest)
    if (typeof taken === 'string') return `${start}: ${taken} out of range`
    if (taken === undefined) return `${start} as ${quote(layout)}: cannot parse ${quoteBytes(rest)} as ${quote(element)}`
    rest = rest.slice(taken)
  }
  return `${start}: extra text: ${quoteBytes(rest)}`
}

/** The UTF-8 of a text, with a character for each byte. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

/** Quotes as Go's time package does: bytes that are no printable ASCII are escaped. */
const quoteBytes = (bytes: string) =>
  `"${bytes.replace(/["\\]/g, '\\$&').replace(/[^\x20-\x7f]/g, byte => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`
const quote = (text: string) => quoteBytes(bytesOf(text))

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

function bytes(value: unknown, go: string): string {
  // Go also accepts a list of numbers as bytes
  if (Array.isArray(value)) return Buffer.from(value.map(item => integer(item ?? 0, 0, 255, 'uint8'))).toString('base64')
  if (typeof value !== 'string') throw wrongType(value, go)
  if (value.length % 4 === 0 && base64.test(value)) return canonicalBase64(value)
  const wrong = illegalBase64At(Buffer.from(value))
  if (wrong !== undefined) throw new ScalarError(`illegal base64 data at input byte ${wrong}`)
  return canonicalBase64(value.replace(/[\r\n]/g, ''))
}

/** The unused bits of the last character may have any value in the input; the canonical form has zeros. */
const canonicalBase64 = (value: string) => (value.endsWith('=') ? Buffer.from(value, 'base64').toString('base64') : value)

const isNewline = (byte: number | undefined) => byte === 0x0a || byte === 0x0d
const isBase64Digit = (byte: number) => /[A-Za-z0-9+/]/.test(String.fromCharCode(byte))
const padding = 0x3d

/** The position at which Go gives up: for a premature end, the last group of four; otherwise, the illegal byte. */
function illegalBase64At(text: Buffer): number | undefined {
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]!
    if (isNewline(byte)) continue
    if (isBase64Digit(byte)) {
      digits++
      continue
    }
    const place = digits % 4
    if (byte !== padding || place < 2) return i
    let next = i + 1
    const skip = () => {
      while (isNewline(text[next])) next++
    }
    if (place === 2) {
      skip()
      if (next === text.length) return text.length
      if (text[next] !== padding) return next - 1
      next++
    }
    skip()
    return next < text.length ? next : undefined
  }
  return digits % 4 === 0 ? undefined : text.length - (digits % 4)
}

/** Go reads a quantity as it stands in the JSON, where spaces that are control characters are escaped. */
const space = /[\p{Z}\x85]/u

/** A pattern for the end would begin anew at each space within. */
function withoutSpaceAround(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && space.test(text[from]!)) from++
  while (to > from && space.test(text[to - 1]!)) to--
  return text.slice(from, to)
}

/** Returns what Go parses of a JSON value for a quantity. */
export const quantityText = (value: unknown): string => withoutSpaceAround(typeof value === 'string' ? value : exactJson(value))

function quantity(value: unknown): string {
  try {
    return canonicalQuantity(quantityText(value))
  } catch (error) {
    if (error instanceof QuantityError) throw new ScalarError(error.message)
    throw error
  }
}

function duration(value: unknown): string {
  if (typeof value !== 'string') throw wrongType(value, 'string')
  const milliseconds = readDuration(value)
  if (typeof milliseconds === 'string') throw new ScalarError(milliseconds)
  return value
}

/** Returns the canonical form of a value that is neither null nor undefined. Throws TypeMismatch or ScalarError. */
export function decodeScalar(type: ScalarType, value: unknown): unknown {
  switch (type.scalar) {
    case 'string':
      if (typeof value !== 'string') throw wrongType(value, type.go)
      return value
    case 'int32':
      return integer(value, -2147483648, 2147483647, type.go)
    case 'int64':
      if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value
      return integer(value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, type.go)
    case 'double':
      if (typeof value === 'bigint') return Number(value)
      if (typeof value !== 'number') throw wrongType(value, type.go)
      return value
    case 'bool':
      if (typeof value !== 'boolean') throw wrongType(value, type.go)
      return value
    case 'bytes':
      return bytes(value, type.go)
    case 'quantity':
      return quantity(value)
    case 'intOrString':
      if (typeof value === 'string') return value
      return integer(value, -2147483648, 2147483647, 'int32')
    case 'time':
    case 'microTime':
      return time(value, type.scalar)
    case 'duration':
      return duration(value)
    default:
      return value
  }
}

/** The JSON form of the type's zero value in Go, for fields that are written even when none was given. */
export function zeroScalar(type: ScalarType): unknown {
  switch (type.scalar) {
    case 'string':
      return ''
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0
    case 'bool':
      return false
    case 'quantity':
      return '0'
    default:
      return null
  }
}
