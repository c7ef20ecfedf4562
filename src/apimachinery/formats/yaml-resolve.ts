/**
 * Resolves plain scalars as Kubernetes does, which reads and writes YAML 1.1 like go-yaml v2: `yes` is a boolean, `010` is eight,
 * `1_000` a thousand; `1:30` and `2001-12-14` are strings, but are quoted when written.
 */

import { fitted } from '../../util/exact-json.js'

const bools: Readonly<Record<string, boolean>> = Object.fromEntries(
  [
    ['y Y yes Yes YES true True TRUE on On ON', true],
    ['n N no No NO false False FALSE off Off OFF', false]
  ].flatMap(([words, value]) => (words as string).split(' ').map(word => [word, value as boolean]))
)
const nulls: ReadonlySet<string> = new Set(['', '~', 'null', 'Null', 'NULL'])
const notFinite: Readonly<Record<string, number>> = Object.fromEntries(
  ['inf', 'Inf', 'INF'].flatMap(word => [
    [`.${word}`, Number.POSITIVE_INFINITY],
    [`+.${word}`, Number.POSITIVE_INFINITY],
    [`-.${word}`, Number.NEGATIVE_INFINITY]
  ])
)
const notANumber: ReadonlySet<string> = new Set(['.nan', '.NaN', '.NAN'])

const integer = /^[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)$/
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const fraction = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/
const timestamp =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| \d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?)?$/
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/

/** Returns the value of an unquoted scalar: null, a boolean, a number, or the text itself. */
export function resolvePlain(text: string): string | number | bigint | boolean | null {
  if (nulls.has(text)) return null
  if (Object.hasOwn(bools, text)) return bools[text]!
  if (Object.hasOwn(notFinite, text)) return notFinite[text]!
  if (notANumber.has(text)) return Number.NaN
  if (text.startsWith('.')) return fraction.test(text) ? finiteOr(text, Number(text.replaceAll('_', ''))) : text
  if (!/^[-+0-9]/.test(text) || timestamp.test(text)) return text
  const plain = text.replaceAll('_', '')
  if (integer.test(plain)) {
    const value = integerValue(plain)
    if (value !== undefined) return value
  }
  return float.test(plain) ? finiteOr(text, Number(plain)) : text
}

/** A number that overflows a double stays text. */
const finiteOr = (text: string, value: number) => (Number.isFinite(value) ? value : text)

const largest = 2n ** 64n
/** Enough for 64 binary digits, their prefix and a few leading zeros. Longer texts are not parsed digit by digit. */
const mostDigits = 100

/** Returns undefined for an integer that does not fit into 64 bits. */
function integerValue(text: string): number | bigint | undefined {
  if (text.length > mostDigits) return undefined
  const digits = text.replace(/^[-+]/, '')
  // a leading zero means octal
  const value = BigInt(/^0[0-7]/.test(digits) ? `0o${digits}` : digits.toLowerCase())
  if (text.startsWith('-')) return value <= largest / 2n ? fitted(-value) : undefined
  return value < (text.startsWith('+') ? largest / 2n : largest) ? fitted(value) : undefined
}

/** Whether a string must be quoted, because it would otherwise be read as another type. */
export function looksLikeOther(text: string): boolean {
  return resolvePlain(text) !== text || (/^\d{4}-/.test(text) && timestamp.test(text)) || sexagesimal.test(text)
}
