/**
 * resource.Quantity: a fixed-point number with an SI or binary suffix, kept as its canonical string or a string close to it
 * (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/).
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent'

/** The exact value is mantissa * 10^exponent. */
export interface Quantity {
  readonly mantissa: bigint
  readonly exponent: number
  readonly format: QuantityFormat
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
/** The limit of binary quantities; decimal ones have none. */
const maxBinary = 2n ** 63n - 1n

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
  let mantissa = BigInt(`${whole}${fraction}`)
  if (sign === '-') mantissa = -mantissa
  let exponent = -fraction.length
  let format: QuantityFormat = 'DecimalSI'
  if (Object.hasOwn(decimalSuffixes, suffix)) exponent += decimalSuffixes[suffix]!
  else if (Object.hasOwn(binarySuffixes, suffix)) {
    if (whole + fraction === '' && binarySuffixes[suffix]! > 40)
      throw new QuantityError('unable to parse numeric part of quantity')
    format = 'BinarySI'
    mantissa <<= BigInt(binarySuffixes[suffix]!)
    if (limited && mantissa > maxBinary * 10n ** BigInt(fraction.length)) [mantissa, exponent] = [maxBinary, 0]
  } else if (/^[eE][-+]?\d+$/.test(suffix)) {
    format = 'DecimalExponent'
    const power = powerOf(suffix)
    if (power === undefined || (mantissa !== 0n && Math.abs(power) > greatestPower))
      throw new QuantityError("unable to parse quantity's suffix")
    exponent += power
    if (whole + fraction === '' && exponent < -9) throw new QuantityError('unable to parse numeric part of quantity')
  } else throw new QuantityError("unable to parse quantity's suffix")
  // of what power it is zero takes room, and means nothing
  if (mantissa === 0n) exponent = Math.max(Math.min(exponent, 0), -9)
  // Digits finer than nano are rounded up, away from zero.
  if (exponent < -9) {
    mantissa = divideUp(mantissa, 10n ** BigInt(-9 - exponent))
    exponent = -9
  }
  return { mantissa, exponent, format }
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

/** The value as a multiple of 10^-9; exact for every quantity. */
export function nanoValue(q: Quantity): bigint {
  return q.mantissa * 10n ** BigInt(q.exponent + 9)
}

export function compareQuantity(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const x = nanoValue(a)
  const y = nanoValue(b)
  return x < y ? -1 : x > y ? 1 : 0
}

/** Returns the value rounded up to an integer, as Go's Quantity.Value() does. */
export function integerValue(q: Quantity): bigint {
  return divideUp(nanoValue(q), 1_000_000_000n)
}

/** Returns the value in thousandths, rounded up, as Go's Quantity.MilliValue() does. */
export function milliValue(q: Quantity): bigint {
  return divideUp(nanoValue(q), 1_000_000n)
}

/** The same with 64 bits: what is larger is cut off, or 0 for a text that Go reads into a small number. */
export function milliValueInt64(text: string): bigint {
  const { mantissa, exponent } = parseQuantity(text)
  const exact = milliValue(parseQuantity(text))
  if (BigInt.asIntN(64, exact) === exact) return exact
  if (keepsText(text)) return 0n
  return BigInt.asIntN(64, BigInt.asIntN(64, mantissa) * BigInt.asIntN(64, 10n ** BigInt(Math.max(exponent + 3, 0))))
}

/** Returns the quantity in canonical form, rounded up to thousandths. */
export function roundedToMilli(text: string): string {
  const q = parseQuantity(text)
  return q.exponent >= -3 || nanoValue(q) % 1_000_000n === 0n
    ? text
    : formatQuantity({ ...q, mantissa: milliValue(q), exponent: -3 })
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
export function formatQuantity(q: Quantity): string {
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

const parts = /^[+-]?0*(\d*)(?:\.(\d*))?(.*)$/
/** Up to this many digits, Go assumes without a check that a number fits into 64 bits. */
const surelyInt64 = 18

/**
 * Whether Go accepts a text as canonical without normalizing it, which it does for speed. Such texts stay as written: "0010",
 * "+5", "1.500".
 */
function isKeptAsWritten(text: string, format: QuantityFormat): boolean {
  const [, stripped = '', fraction = '', suffix = ''] = parts.exec(text)!
  const whole = stripped === '' ? '0' : stripped
  if (format === 'BinarySI') {
    const bits = binarySuffixes[suffix]!
    const fits = 15 - whole.length - Math.trunc((bits * 3) / 10) - 1 >= 0
    return fits && fraction === '' && (BigInt(whole) & 7n) !== 0n
  }
  const exponent = (format === 'DecimalSI' ? decimalSuffixes[suffix]! : Number(suffix.slice(1))) - fraction.length
  const digits = whole + fraction
  return digits.length <= surelyInt64 && exponent >= -9 && exponent % 3 === 0 && !digits.endsWith('000') && digits[0] !== '0'
}

const canonical = new Map<string, string>()

/** Returns the canonical form of a quantity's text. */
export function canonicalQuantity(text: string): string {
  const known = canonical.get(text)
  if (known !== undefined) return known
  const quantity = parseQuantity(text)
  const result = isKeptAsWritten(text, quantity.format) ? text : formatQuantity(quantity)
  if (canonical.size >= maxRemembered) canonical.clear()
  canonical.set(text, result)
  return result
}

/** Whether Go keeps the text of a quantity beside its value when it parses the quantity. */
export const keepsText = (text: string): boolean => isKeptAsWritten(text, parseQuantity(text).format)

const sum = (a: Quantity, b: Quantity, sign: 1n | -1n): Quantity => {
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = (q: Quantity) => q.mantissa * 10n ** BigInt(q.exponent - exponent)
  // a zero does not determine the format of the result
  return { mantissa: scaled(a) + sign * scaled(b), exponent, format: a.mantissa === 0n ? b.format : a.format }
}

/** Reads a quantity that may be a sum. */
function parseSum(text: string): Quantity {
  const quantity = parseQuantity(text)
  return quantity.format === 'BinarySI' && quantity.mantissa === maxBinary ? parseText(text, false) : quantity
}

export const addQuantities = (a: string, b: string): string => formatQuantity(sum(parseSum(a), parseSum(b), 1n))
export const subtractQuantities = (a: string, b: string): string => formatQuantity(sum(parseSum(a), parseSum(b), -1n))
export const compareQuantities = (a: string, b: string): -1 | 0 | 1 => compareQuantity(parseSum(a), parseSum(b))
