/** string.format(list): "%s", "%d", "%.2f", "%e", "%x", "%X", "%o", "%b". */
import { compareText, goQuote } from '../../../util/go-format.js'
import { formatDouble, formatFixed } from '../values/numbers.js'
import { tick, tickText } from '../values/steps.js'
import { formatDuration, formatTimestamp, longestText } from '../values/text.js'
import { CelError, Duration, ListValue, MapValue, Timestamp, TypeValue, typeOf, UInt, type Value } from '../values/value.js'

const defaultPrecision = 6
/** The most digits after the point of a double. */
const maxPrecision = 1074

class FormatError extends Error {}

/** A piece of a format string: literal text, or a clause for the next argument. */
export interface Clause {
  readonly letter: string
  readonly precision: number
}

export function formatString(format: string, args: ListValue): Value {
  try {
    return interpolate(format, args.size, (clause, i) => formatClause(clause, args.get(i)))
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message)
    throw error
  }
}

/**
 * Returns the error in a format string and its arguments. `wrongType` returns the type of an argument that its clause cannot
 * format.
 */
export function formatProblem(
  format: string,
  count: number,
  wrongType: (clause: Clause, i: number) => string | undefined
): string | undefined {
  try {
    interpolate(format, count, (clause, i) => {
      const type = wrongType(clause, i)
      if (type !== undefined) throw new FormatError(wrongArgument(clause.letter, type))
      return ''
    })
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
}

/** Walks through the clauses. Throws FormatError for invalid ones. */
function interpolate(format: string, count: number, show: (clause: Clause, i: number) => string): string {
  let next = 0
  return format.replace(/%(?:%|(\.\d*)?([\s\S]?))/gu, (text, precision: string | undefined, letter: string | undefined) => {
    if (text === '%%') return '%'
    const i = next++
    if (i >= count) throw new FormatError(`index ${i} out of range`)
    if (text === '%') throw new FormatError('unexpected end of string')
    return show(readClause(precision, letter ?? ''), i)
  })
}

function readClause(precision: string | undefined, letter: string): Clause {
  const unread = (why: string) => new FormatError(`could not parse formatting clause: ${why}`)
  if (precision !== undefined && letter === '')
    throw unread('error while parsing precision: could not find end of precision specifier')
  if (precision === '.')
    throw unread(
      'error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
    )
  if (!/^[sdfebxXo]$/.test(letter)) throw unread(`unrecognized formatting clause "${letter}"`)
  return { letter, precision: precision === undefined ? defaultPrecision : Number(precision.slice(1)) }
}

/** Messages for an argument of the wrong type. */
const wrong: Record<string, string> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers'
}

const wrongArgument = (letter: string, typeName: string): string =>
  `error during formatting: ${wrong[letter]}, was given ${typeName}`

function formatClause({ letter, precision }: Clause, value: Value): string {
  const text = show(letter, Math.min(precision, maxPrecision), value)
  if (text === undefined) throw new FormatError(wrongArgument(letter, typeOf(value).name))
  return text
}

function show(letter: string, precision: number, value: Value): string | undefined {
  switch (letter) {
    case 's':
      return text(value)
    case 'd':
      return integer(value)?.toString()
    case 'f':
      return real(value, n => grouped(formatFixed(n, precision)))
    case 'e':
      return real(value, n => scientific(n, precision))
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integer(value)?.toString(2)
    case 'o':
      return integer(value)?.toString(8)
    default:
      return letter === 'X' ? hex(value)?.toUpperCase() : hex(value)
  }
}

const integer = (value: Value) => (typeof value === 'bigint' ? value : value instanceof UInt ? value.value : undefined)

function hex(value: Value): string | undefined {
  if (typeof value === 'string') return Buffer.from(value).toString('hex')
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : integer(value)?.toString(16)
}

const specials: Record<string, number> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY
}

function real(value: Value, print: (n: number) => string): string | undefined {
  const number = typeof value === 'string' && Object.hasOwn(specials, value) ? specials[value] : value
  if (typeof number !== 'number') return undefined
  if (Number.isNaN(number)) return 'NaN'
  if (!Number.isFinite(number)) return number > 0 ? '∞' : '-∞'
  return print(number)
}

/** Groups digits as in English: 1,234.50. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? separated : `${separated}.${fraction}`
}

/** Formats as 1.234568×10⁰⁴. cel-go uses the precision as a width. */
function scientific(value: number, width: number): string {
  const [mantissa, exponent] = value.toExponential(defaultPrecision).split('e') as [string, string]
  const digits = exponent.slice(1).padStart(2, '0')
  const raised = [...digits].map(d => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(d)]).join('')
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`.padStart(width)
}

/** %s; returns undefined for types without text. */
function text(value: Value): string | undefined {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return formatDouble(value)
  }
  if (value instanceof ListValue) return listText(value)
  if (value instanceof MapValue) return mapText(value)
  if (value instanceof UInt) return String(value.value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof Duration) return formatDuration(value)
  return value instanceof TypeValue ? value.type.name : undefined
}

function listText(list: ListValue): string {
  if (list.size > longestText) throw tooLong()
  return joined('[', [...list].map(literal), ']')
}

function mapText(map: MapValue): string {
  const entries = [...map.keys()].map(key => {
    if (!['string', 'boolean', 'bigint'].includes(typeof key) && !(key instanceof UInt))
      throw new FormatError(`error during formatting: no formatting function for map key of type ${typeOf(key).name}`)
    return [literal(key), literal(map.get(key)!)] as const
  })
  entries.sort(([a], [b]) => compareText(a, b))
  return joined(
    '{',
    entries.map(([key, value]) => `${key}:${value}`),
    '}'
  )
}

const tooLong = () => new FormatError('error during formatting: string is too long')

/** A list can contain a value many times by way of variables, so its text can be much longer than the list. */
function joined(open: string, items: readonly string[], close: string): string {
  const length = items.reduce((length, item) => length + item.length + 2, 0)
  if (length > longestText) throw tooLong()
  tickText(length)
  tick(4 * items.length)
  return `${open}${items.join(', ')}${close}`
}

/** Formats a value as a literal of the language. */
function literal(value: Value): string {
  if (typeof value === 'string') return goQuote(value)
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return formatFixed(value, defaultPrecision)
    return goQuote(Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf')
  }
  if (value instanceof Uint8Array) return `b${goQuote(Buffer.from(value).toString())}`
  if (value instanceof Timestamp) return `timestamp(${goQuote(formatTimestamp(value))})`
  if (value instanceof Duration) return `duration(${goQuote(formatDuration(value))})`
  const shown = text(value)
  if (shown === undefined) throw new FormatError(`error during formatting: no formatting function for ${typeOf(value).name}`)
  return shown
}
