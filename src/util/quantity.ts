/**
 * resource.Quantity: a fixed-point number with an SI or binary suffix, kept as its canonical string or a string close to it
 * (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/).
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** The exact value is mantissa * 10^exponent. */
export interface Amount {
  readonly mantissa: bigint
  readonly exponent: number
  readonly format: QuantityFormat
}

/** What has been read. */
export interface Quantity extends Amount {
  /** Whether Go holds it as a big decimal, which rounds and overflows in another way than an int64 with an exponent. */
  readonly isBig: boolean
}

export class QuantityError extends Error {}

const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
/** Digits are optional, even all of them: "+", "." and "e3" are 0. */
const shape = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/
const decimalSuffixes: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }
const binarySuffixes: Record<string, number> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 }
const longest = 256
const maxRemembered = 4096
/** Go takes more, for which its numbers would need all memory. */
const greatestPower = 999
const maxInt64 = 2n ** 63n - 1n
/** The limit of binary quantities; decimal ones have none. */
const maxBinary = maxInt64
/** The most digits that Go assumes without a check to fit into 64 bits: in front of a binary suffix, fewer than these. */
const surelyInt64 = 18
const surelyInt64Binary = 14

const parsed = new Map<string, Quantity>()

/** Parses a quantity. Caches the few texts that make up almost all quantities. Throws QuantityError. */
export function parseQuantity(text: string): Quantity {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const quantity = parseText(text)
  if (parsed.size >= maxRemembered) parsed.clear()
  parsed.set(text, quantity)
  return quantity
}

/** `limited`: whether a binary quantity beyond its limit is that limit, as when Go reads it. A sum may be larger. */
function parseText(text: string, limited = true): Quantity {
  if (text === '' || text.length > longest) throw new QuantityError(wrongFormat)
  const match = shape.exec(text)
  if (!match) throw new QuantityError(wrongFormat)
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match
  const length = Math.max(whole.replace(/^0+/, '').length, 1) + fraction.length
  let mantissa = BigInt(`${whole}${fraction}`)
  let exponent = -fraction.length
  let format: QuantityFormat = 'DecimalSI'
  let isBig = false
  let isCapped = false
  if (Object.hasOwn(decimalSuffixes, suffix)) exponent += decimalSuffixes[suffix]!
  else if (Object.hasOwn(binarySuffixes, suffix)) {
    const bits = binarySuffixes[suffix]!
    if (whole + fraction === '' && bits > 40) throw new QuantityError('unable to parse numeric part of quantity')
    format = 'BinarySI'
    isBig = fraction !== '' || length + Math.trunc((bits * 3) / 10) > surelyInt64Binary
    mantissa <<= BigInt(bits)
    isCapped = limited && mantissa > maxBinary * 10n ** BigInt(fraction.length)
  } else if (/^[eE][-+]?\d+$/.test(suffix)) {
    format = 'DecimalExponent'
    const power = powerOf(suffix)
    if (power === undefined || (mantissa !== 0n && Math.abs(power) > greatestPower))
      throw new QuantityError("unable to parse quantity's suffix")
    exponent += power
    if (whole + fraction === '' && exponent < -9) throw new QuantityError('unable to parse numeric part of quantity')
  } else throw new QuantityError("unable to parse quantity's suffix")
  if (format !== 'BinarySI') isBig = length > surelyInt64 || exponent < -9
  // of what power it is zero takes room, and means nothing
  if (mantissa === 0n) exponent = Math.max(Math.min(exponent, 0), -9)
  else if (isCapped) [mantissa, exponent] = [maxBinary, 0]
  // Go holds a big one in billionths, rounded away from zero
  else if (isBig) [mantissa, exponent] = [scaled(mantissa, exponent + 9), -9]
  return { mantissa: sign === '-' ? -mantissa : mantissa, exponent, format, isBig }
}

/** Reads `e3` as Go does: 64 bits, of which 32 count. Undefined for more. */
function powerOf(suffix: string): number | undefined {
  const digits = BigInt(suffix.slice(1).replace(/^[-+]/, ''))
  const power = suffix[1] === '-' ? -digits : digits
  return BigInt.asIntN(64, power) === power ? Number(BigInt.asIntN(32, power)) : undefined
}

function divideUp(a: bigint, b: bigint): bigint {
  const q = a / b
  if (q * b === a) return q
  return a < 0n ? q - 1n : q + 1n
}

/** Returns number * 10^power, rounded away from zero. */
const scaled = (number: bigint, power: number): bigint =>
  power < 0 ? divideUp(number, 10n ** BigInt(-power)) : number * 10n ** BigInt(power)

/** The value as a multiple of 10^-9; exact for every quantity. */
export function nanoValue(q: Amount): bigint {
  return q.mantissa * 10n ** BigInt(q.exponent + 9)
}

export function compareQuantity(a: Amount, b: Amount): -1 | 0 | 1 {
  const x = nanoValue(a)
  const y = nanoValue(b)
  return x < y ? -1 : x > y ? 1 : 0
}

/** Returns the value rounded up to an integer, as Go's Quantity.Value() does: see scaledValue. */
export const integerValue = (q: Quantity): bigint => scaledValue(q, 0)

/** Returns the value in thousandths, rounded up, as Go's Quantity.MilliValue() does: see scaledValue. */
export const milliValue = (q: Quantity): bigint => scaledValue(q, -3)

/** The greatest number whose thousandths fit into 64 bits. */
export const maxMilliValue: bigint = maxInt64 / 1000n

const int64 = (n: bigint) => BigInt.asIntN(64, n)

/** By which powers of ten Go multiplies in one step, which may overflow; it multiplies by others in steps, and gives up. */
const oneStep = [0, 1, 2, 3, 6, 9]

/**
 * Returns the multiple of 10^exponent in 64 bits, with Go's faults. A small quantity is rounded away from zero, and is cut off or 0 where it does not
 * fit. Of a big one, 64 bits are left, and one is added to what has a remainder: -1.5 is 0, and -2.5 is -1.
 */
function scaledValue({ mantissa, exponent: given, isBig }: Quantity, exponent: number): bigint {
  const power = given - exponent
  if (!isBig) {
    const exact = scaled(mantissa, power)
    return int64(exact) === exact || oneStep.includes(power) ? int64(exact) : 0n
  }
  if (power >= 0) return int64(int64(mantissa) * 10n ** BigInt(power))
  const unscaled = mantissa < maxInt64 ? int64(mantissa) : mantissa
  const divisor = 10n ** BigInt(-power)
  return int64(unscaled / divisor + (unscaled % divisor === 0n ? 0n : 1n))
}

/** Returns the quantity with no digits below 10^exponent, rounded away from zero, as Go's Quantity.RoundUp does. */
export function roundedUp(q: Quantity, exponent: number): Quantity {
  if (!q.isBig && q.exponent >= exponent) return q
  return { ...q, mantissa: scaled(q.mantissa, q.exponent - exponent), exponent }
}

/** Returns the quantity in canonical form, rounded up to thousandths. */
export function roundedToMilli(text: string): string {
  const q = parseQuantity(text)
  return q.exponent >= -3 || nanoValue(q) % 1_000_000n === 0n ? text : formatQuantity(roundedUp(q, -3))
}

const decimalNames: Record<number, string> = {
  [-9]: 'n',
  [-6]: 'u',
  [-3]: 'm',
  0: '',
  3: 'k',
  6: 'M',
  9: 'G',
  12: 'T',
  15: 'P',
  18: 'E'
}
const binaryNames = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

/** Returns the canonical text: no fraction, and the largest suffix that allows that. Binary quantities are decimal below 1024 and where they are no integer. */
export function formatQuantity(q: Amount): string {
  if (q.mantissa === 0n) return '0'
  const nano = nanoValue(q)
  const limit = 1024n * 1_000_000_000n
  if (q.format === 'BinarySI' && (nano >= limit || nano <= -limit) && nano % 1_000_000_000n === 0n) {
    let value = nano / 1_000_000_000n
    let power = 0
    while (power < 6 && value % 1024n === 0n) {
      value /= 1024n
      power++
    }
    return `${value}${binaryNames[power]}`
  }
  let value = q.mantissa
  let exponent = q.exponent
  while (value % 10n === 0n) {
    value /= 10n
    exponent++
  }
  while (exponent % 3 !== 0) {
    value *= 10n
    exponent--
  }
  if (q.format === 'DecimalExponent') return exponent === 0 ? `${value}` : `${value}e${exponent}`
  // Go has no suffix beyond E, and writes none
  return `${value}${decimalNames[exponent] ?? ''}`
}

const parts = /^[+-]?0*(\d*)(?:\.(\d*))?/

/**
 * Whether Go accepts a text as canonical without normalizing it, which it does for speed. Such texts stay as written: "0010",
 * "+5", "1.500".
 */
function isKeptAsWritten(text: string, { exponent, format, isBig }: Quantity): boolean {
  if (isBig) return false
  const [, whole = '', fraction = ''] = parts.exec(text)!
  const digits = (whole || '0') + fraction
  if (format === 'BinarySI') return (BigInt(digits) & 7n) !== 0n
  return exponent % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0'
}

const canonical = new Map<string, string>()

/** Returns the canonical form of a quantity's text. */
export function canonicalQuantity(text: string): string {
  const known = canonical.get(text)
  if (known !== undefined) return known
  const quantity = parseQuantity(text)
  const result = isKeptAsWritten(text, quantity) ? text : formatQuantity(quantity)
  if (canonical.size >= maxRemembered) canonical.clear()
  canonical.set(text, result)
  return result
}

/** Whether Go keeps the text of a quantity beside its value when it parses the quantity. */
export const keepsText = (text: string): boolean => isKeptAsWritten(text, parseQuantity(text))

const sum = (a: Amount, b: Amount, sign: 1n | -1n): Amount => {
  const exponent = Math.min(a.exponent, b.exponent)
  const at = (q: Amount) => scaled(q.mantissa, q.exponent - exponent)
  // a zero does not determine the format of the result
  return { mantissa: at(a) + sign * at(b), exponent, format: a.mantissa === 0n ? b.format : a.format }
}

/** Reads a quantity that may be a sum. */
function parseSum(text: string): Quantity {
  const quantity = parseQuantity(text)
  const { format, mantissa } = quantity
  return format === 'BinarySI' && (mantissa === maxBinary || mantissa === -maxBinary) ? parseText(text, false) : quantity
}

export const addQuantities = (a: string, b: string): string => formatQuantity(sum(parseSum(a), parseSum(b), 1n))
export const subtractQuantities = (a: string, b: string): string => formatQuantity(sum(parseSum(a), parseSum(b), -1n))
export const compareQuantities = (a: string, b: string): -1 | 0 | 1 => compareQuantity(parseSum(a), parseSum(b))
