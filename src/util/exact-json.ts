/**
 * JSON in which integers keep their digits. kube-apiserver holds what fits into 64 bits as an integer and anything longer as a
 * double; JavaScript's numbers are exact only up to 2^53. Integers between are bigints here. Documents without such integers,
 * which is nearly all of them, go through JSON.parse and JSON.stringify and nothing else.
 */
import { randomBytes } from 'node:crypto'

/** Stands before digits in strings that are none; nobody outside this process can know it. */
const mark = `int64:${randomBytes(16).toString('hex')}:`
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g')

/** The fewest digits of an integer that a double cannot hold. */
const fewestDigits = 16
const mostDigits = 19
/** Longer ones are no slip of somebody who meant an int64. */
const mostWideDigits = 64
const largest = 2n ** 63n - 1n

const quote = 0x22
const backslash = 0x5c
const minus = 0x2d

/** Of an escape that begins or ends a pair; seldom enough that all escapes are looked at then. */
const surrogate = /\\u[dD][89a-fA-F]/
const escapes = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g

/** Go's strings are UTF-8: half a pair of surrogates becomes the replacement character. */
const wellFormed = (text: string) =>
  text.replace(escapes, found => (/^\\u.{4}$/.test(found) && surrogate.test(found) ? '\\ufffd' : found))

/**
 * JSON.parse, but for integers beyond 2^53, and for characters that there are not. `wide`: those beyond 64 bits keep their digits
 * as well, up to a length, for types to whose Go code the digits themselves are given.
 */
export function parseExact(given: string, wide = false): unknown {
  const text = given.includes('\\u') && surrogate.test(given) ? wellFormed(given) : given
  const value: unknown = JSON.parse(text)
  if (!hasLongNumber(text)) return value
  const withMarks = markIntegers(text, wide)
  return withMarks === undefined
    ? value
    : JSON.parse(withMarks, (_, v) => (typeof v === 'string' && v.startsWith(mark) ? BigInt(v.slice(mark.length)) : v))
}

/** Whether so many digits stand together: of which one stands at every sixteenth place, so that few places are looked at. */
function hasLongNumber(text: string): boolean {
  for (let i = fewestDigits - 1; i < text.length; i += fewestDigits) {
    if (!isDigit(text.charCodeAt(i))) continue
    let first = i
    let last = i
    while (isDigit(text.charCodeAt(first - 1))) first--
    while (isDigit(text.charCodeAt(last + 1))) last++
    if (last - first + 1 >= fewestDigits) return true
    i = last
  }
  return false
}

/** JSON.stringify, but for bigints. */
export function exactJson(
  value: unknown,
  indent?: number,
  replacer: (key: string, value: unknown) => unknown = identity
): string {
  try {
    return JSON.stringify(value, replacer === identity ? undefined : replacer, indent)
  } catch (error) {
    // what JSON.stringify cannot write is a bigint, or something that it refuses again
    if (!(error instanceof TypeError)) throw error
  }
  const withMarks = (key: string, v: unknown) => (typeof v === 'bigint' ? `${mark}${v}` : replacer(key, v))
  return JSON.stringify(value, withMarks, indent).replace(marked, '$1')
}

function identity(_: string, value: unknown): unknown {
  return value
}

/** The integer that digits stand for: a bigint when only that is exact and it fits into 64 bits. */
export function exactInteger(digits: string): number | bigint {
  const rounded = Number(digits)
  if (Number.isSafeInteger(rounded) || digits.replace('-', '').length > mostDigits) return rounded
  return fitted(BigInt(digits))
}

/** A bigint where it has to be one: beyond 2^53, but within 64 bits. */
export function fitted(value: bigint): number | bigint {
  const rounded = Number(value)
  return Number.isSafeInteger(rounded) || value > largest || value < -largest - 1n ? rounded : value
}

/** The document with its long integers as strings; undefined when there are none. Of well-formed JSON. */
function markIntegers(text: string, wide: boolean): string | undefined {
  const parts: string[] = []
  let copied = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === quote) {
      while (text.charCodeAt(++i) !== quote) if (text.charCodeAt(i) === backslash) i++
      continue
    }
    if (char !== minus && !isDigit(char)) continue
    const from = i
    let integer = true
    for (; ; i++) {
      const next = text.charCodeAt(i + 1)
      if (isDigit(next)) continue
      // a point, an exponent and its sign
      if (next !== 0x2e && next !== 0x65 && next !== 0x45 && next !== 0x2b && next !== minus) break
      integer = false
    }
    const digits = text.slice(from, i + 1)
    if (!integer || !(isBigint(digits) || (wide && isBeyond64Bits(digits)))) continue
    parts.push(text.slice(copied, from), `"${mark}${digits}"`)
    copied = i + 1
  }
  return parts.length === 0 ? undefined : parts.join('') + text.slice(copied)
}

const isBigint = (digits: string) => typeof exactInteger(digits) === 'bigint'

const isBeyond64Bits = (digits: string) =>
  digits.length > mostDigits - 1 && digits.length <= mostWideDigits && !Number.isSafeInteger(Number(digits))

const isDigit = (char: number) => char >= 0x30 && char <= 0x39
