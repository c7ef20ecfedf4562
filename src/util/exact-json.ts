/**
 * JSON in which integers keep their digits. kube-apiserver holds integers that fit into 64 bits as integers, and longer ones as
 * doubles; JavaScript's numbers are exact only up to 2^53. Integers in between are bigints here. Documents without such integers,
 * which is nearly all of them, go through JSON.parse and JSON.stringify and nothing else.
 */
import { randomBytes } from 'node:crypto'
import { withHtmlEscapes } from './html-escapes.js'

/** A prefix that marks strings which stand for digits. It is random, so no client can send it. */
const mark = `int64:${randomBytes(16).toString('hex')}:`
const marked = new RegExp(`"${mark}(-?\\d+)"`, 'g')

/** The fewest digits of an integer that a double cannot hold. */
const fewestDigits = 16
const mostDigits = 19
/** More digits than this are not a mistyped int64. */
const mostWideDigits = 64
const largest = 2n ** 63n - 1n

const quote = 0x22
const backslash = 0x5c
const minus = 0x2d

/** Matches the escape of a surrogate. These are rare, so the slow path may examine all escapes. */
const surrogate = /\\u[dD][89a-fA-F]/
const escapes = /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g

/** Go's strings are UTF-8: half a surrogate pair becomes the replacement character. `json` is the text of a document. */
export const withoutHalfPairs = (json: string): string =>
  json.includes('\\u') && surrogate.test(json)
    ? json.replace(escapes, found => (/^\\u.{4}$/.test(found) && surrogate.test(found) ? '\\ufffd' : found))
    : json

/**
 * JSON.parse, except for integers beyond 2^53 and for lone surrogates. With `wide`, integers beyond 64 bits keep their digits as
 * well, up to a limit, for types whose Go code receives the digits themselves.
 */
export function parseExact(given: string, wide = false): unknown {
  const text = withoutHalfPairs(given)
  const value: unknown = JSON.parse(text)
  if (!hasLongNumber(text)) return value
  const withMarks = markIntegers(text, wide)
  return withMarks === undefined
    ? value
    : JSON.parse(withMarks, (_, v) => (typeof v === 'string' && v.startsWith(mark) ? BigInt(v.slice(mark.length)) : v))
}

/**
 * Whether the text contains a run of `fewestDigits` digits. One of them stands at every sixteenth place, so only those are
 * examined.
 */
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

type Replacer = (key: string, value: unknown) => unknown

/** Writes JSON as Go does: integers keep their digits, and HTML is escaped. Returns undefined for undefined, as JSON.stringify does. */
export function exactJson(value: unknown, indent?: number, replacer?: Replacer): string {
  const json = unescapedJson(value, indent, replacer)
  return json === undefined ? json : withHtmlEscapes(json)
}

/** Does what JSON.stringify does, and accepts bigints. */
export function unescapedJson(value: unknown, indent?: number, replacer: Replacer = identity): string {
  try {
    return JSON.stringify(value, replacer === identity ? undefined : replacer, indent)
  } catch (error) {
    // JSON.stringify refuses bigints; it refuses any other such value again below
    if (!(error instanceof TypeError)) throw error
  }
  const withMarks = (key: string, v: unknown) => (typeof v === 'bigint' ? `${mark}${v}` : replacer(key, v))
  return JSON.stringify(value, withMarks, indent).replace(marked, '$1')
}

function identity(_: string, value: unknown): unknown {
  return value
}

/** Converts digits to an integer: a bigint only when a number is not exact and the integer fits into 64 bits. */
export function exactInteger(digits: string): number | bigint {
  const rounded = Number(digits)
  if (Number.isSafeInteger(rounded) || digits.replace('-', '').length > mostDigits) return rounded
  return fitted(BigInt(digits))
}

/** Returns a bigint only for integers beyond 2^53 but within 64 bits; otherwise a number. */
export function fitted(value: bigint): number | bigint {
  const rounded = Number(value)
  return Number.isSafeInteger(rounded) || value > largest || value < -largest - 1n ? rounded : value
}

/** Returns well-formed JSON with its long integers turned into strings; undefined when there are none. */
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
      // part of a fraction or an exponent
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
