/** Formats text as Go's fmt and strconv do, for the messages in which kube-apiserver shows values. */
import { isObject } from './json.js'

/** The characters for which Go's string literals have a short escape. */
export const goEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '"': '\\"',
  '\\': '\\\\'
}

const needsEscape = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

/** Does what %q and strconv.Quote do: a double-quoted string with unprintable characters escaped. */
export function goQuote(text: string): string {
  return `"${text.replace(needsEscape, escapeChar)}"`
}

/** Formats an integer with %q: a single-quoted character. */
export function goQuoteRune(rune: bigint): string {
  const isCharacter = rune >= 0n && rune <= 0x10ffffn && !(rune >= 0xd800n && rune <= 0xdfffn)
  const char = isCharacter ? String.fromCodePoint(Number(rune)) : '\ufffd'
  if (char === '"') return `'"'`
  return char === "'" ? `'\\''` : `'${char.replace(needsEscape, escapeChar)}'`
}

function escapeChar(char: string): string {
  if (Object.hasOwn(goEscapes, char)) return goEscapes[char]!
  const code = char.codePointAt(0)!
  // Go cannot hold half a surrogate pair.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
  const hex = code.toString(16)
  if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** A value whose Go type JSON does not have, such as a duration in an expression: how Go's fmt prints it. */
export class ForeignValue {
  /** The text for %v. */
  readonly text: string
  /** The text for %#v. */
  readonly syntax: string
  /** The text for %T. */
  readonly type: string

  constructor(text: string, syntax: string, type: string) {
    this.text = text
    this.syntax = syntax
    this.type = type
  }
}

/** Formats a decoded JSON value with %v: `map[a:b c:[x y]]`, with sorted keys. */
export function goValue(value: unknown): string {
  return print(value, text => text)
}

/** Formats a decoded JSON value with %s: a value that is not a string is marked as a mistake, such as `%!s(int64=5)`. */
export function goString(value: unknown): string {
  return value === null ? '%!s(<nil>)' : print(value, (text, value) => `%!s(${goType(value)}=${text})`)
}

function print(value: unknown, scalar: (text: string, value: unknown) => string): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return '<nil>'
  if (Array.isArray(value)) return `[${value.map(v => print(v, scalar)).join(' ')}]`
  if (value instanceof ForeignValue) return value.text
  if (isObject(value)) {
    return `map[${sortedKeys(value)
      .map(k => `${k}:${print(value[k], scalar)}`)
      .join(' ')}]`
  }
  return scalar(typeof value === 'number' ? goNumber(value) : String(value), value)
}

/** Returns the Go type to which sigs.k8s.io/json decodes a value. */
export function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  switch (typeof value) {
    case 'number':
      // an int64 beyond 2^53 is a bigint
      return Number.isSafeInteger(value) ? 'int64' : 'float64'
    case 'bigint':
      return 'int64'
    case 'boolean':
      return 'bool'
    case 'string':
      return 'string'
    default:
      return value === null || value === undefined ? '%!s(<nil>)' : 'map[string]interface {}'
  }
}

/**
 * Formats a number with %v: integers that fit stay int64; floats are written as with %g, with an exponent below 1e-4 and from 1e6
 * on.
 */
export function goNumber(value: number): string {
  return goType(value) === 'int64' ? String(BigInt(value)) : goFloat(value)
}

/** Formats a float64 with %v, even a whole number: 1e+06. */
export function goFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** Whether Go's unicode.IsPrint is true: the only printable space is U+0020. */
export const isPrintable = (char: string): boolean =>
  // the tables of Unicode take a millisecond to load, and most text needs none
  (char >= ' ' && char <= '~') || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char)

/** Returns the keys sorted by their UTF-8 bytes, as Go sorts map keys. */
export const sortedKeys = (object: object): string[] => sortTexts(Object.keys(object))

/** Returns the members sorted by their names' UTF-8 bytes. */
export const sortedEntries = <T>(object: Readonly<Record<string, T>>): [string, T][] =>
  sortedKeys(object).map(key => [key, object[key]!])

/** Sorts texts by their UTF-8 bytes, in place. Those that are in order already, as most are, cost one comparison each. */
export function sortTexts(texts: string[]): string[] {
  let i = 1
  while (i < texts.length && texts[i - 1]! <= texts[i]!) i++
  if (i < texts.length) texts.sort()
  // UTF-16 units sort as UTF-8 bytes do, except for surrogates
  return texts.length > 1 && texts.some(text => surrogate.test(text)) ? texts.sort(compareUtf8) : texts
}

/** Compares as `compareUtf8` does, faster for texts without surrogates. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  if (surrogate.test(a) || surrogate.test(b)) return compareUtf8(a, b)
  return a < b ? -1 : 1
}

const surrogate = /[\ud800-\udfff]/

export function compareUtf8(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    // Surrogates stand for code points above every other unit.
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/** Formats an aggregate of errors: a single one bare, several in brackets, each text once. */
export function aggregateText(messages: readonly string[]): string {
  const distinct = [...new Set(messages)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes text from a client, because a browser may show the answer. */
export const withoutHtml = (text: string): string => text.replace(/[&<>]/g, char => entities[char]!)

const trueTexts: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const falseTexts: ReadonlySet<string> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

/** Does what strconv.ParseBool does. Returns undefined for a text that it does not accept. */
export const parseBool = (text: string): boolean | undefined =>
  trueTexts.has(text) ? true : falseTexts.has(text) ? false : undefined
