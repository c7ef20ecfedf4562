/**
 * Numbers as they are written. Go refuses `1.0` and `1e2` for a field that is an integer, and quotes them so; after JSON.parse they look
 * like 1 and 100. Bodies with such numbers are rare: only these are decoded a second time, with a stand-in for each.
 */

import { isObject } from '../../util/json.js'
import type { WholeFloats } from '../validation/whole-floats.js'

/** A part that no sensible number has, and that a double holds exactly. */
const standInPart = 0.0009765625

export interface WrittenNumbers {
  /** The document with stand-ins, which are fractions, so that an integer field refuses them. */
  readonly text: string
  /** Puts the numbers as they are written into an error about stand-ins. */
  restore(message: string): string
  /** Puts the numbers into a text that contains the document. */
  restoreAll(document: string): string
  /** The whole numbers among those that have a stand-in in the parsed value. */
  wholeIn(value: unknown): WholeFloats
}

/**
 * How many different numbers one document may have written in such a way; objects have a handful. In a document with more,
 * numbers are read as JavaScript reads them.
 */
const mostNumbers = 1000

/** What numbers look like that JavaScript may write in another way. Most texts without such numbers do not match. */
const suspect = /\d[.eE]|\d{19}/

/** Whether a number has a fraction or an exponent that JavaScript would write differently. */
const isOddlyWritten = (number: string) => /[.eE]/.test(number) && String(Number(number)) !== number

/** Whether a number is beyond 64 bits, where `exact-json.ts` does not keep the digits. */
const isTooLong = (number: string) =>
  /^-?\d{19,}$/.test(number) && (number.length > 20 || BigInt.asIntN(64, BigInt(number)) !== BigInt(number))

/** Returns the first number of well-formed JSON that no double can hold. */
export function infiniteNumber(text: string): string | undefined {
  if (!/\d[eE]\+?\d|\d{309}/.test(text)) return undefined
  for (const [from, to] of numbersIn(text)) {
    const found = text.slice(from, to)
    if (!Number.isFinite(Number(found))) return found
  }
  return undefined
}

/**
 * Returns undefined when every number of the well-formed JSON is written as JavaScript writes it. `long`: integers beyond 64 bits count, too.
 */
export function writtenNumbers(text: string, long = false): WrittenNumbers | undefined {
  if (!suspect.test(text)) return undefined
  const standIns = new Map<string, string>()
  const parts: string[] = []
  let copied = 0
  for (const [from, to] of numbersIn(text)) {
    const found = text.slice(from, to)
    if (!isOddlyWritten(found) && !(long && isTooLong(found))) continue
    let standIn = standIns.get(found)
    if (standIn === undefined) {
      if (standIns.size === mostNumbers) return undefined
      standIns.set(found, (standIn = String(standIns.size + standInPart)))
    }
    parts.push(text.slice(copied, from), standIn)
    copied = to
  }
  if (standIns.size === 0) return undefined
  const written = new Map([...standIns].map(([number, standIn]) => [standIn, number]))
  return {
    text: parts.join('') + text.slice(copied),
    restore: message =>
      message.replace(/\bnumber (\S+)/, (all, number) => (written.has(number) ? `number ${written.get(number)}` : all)),
    restoreAll: document => document.replace(/\d+\.0009765625(?!\d)/g, number => written.get(number) ?? number),
    wholeIn: value => wholeNumbers(value, written)
  }
}

function wholeNumbers(root: unknown, written: ReadonlyMap<string, string>): WholeFloats {
  const found = new Map<string, number>()
  const walk = (value: unknown, place: string): void => {
    if (typeof value === 'number') {
      const number = Number(written.get(String(value)))
      if (Number.isSafeInteger(number)) found.set(place, number)
    } else if (Array.isArray(value)) for (const [i, item] of value.entries()) walk(item, `${place}[${i}]`)
    else if (isObject(value)) for (const key of Object.keys(value)) walk(value[key], place === '' ? key : `${place}.${key}`)
  }
  walk(root, '')
  return found
}

const quote = 0x22
const backslash = 0x5c
const minus = 0x2d
const isDigit = (char: number) => char >= 0x30 && char <= 0x39
/** Whether a character may be part of a number: digits, `.`, `e`, `E`, `+`, `-`. */
const isPart = (char: number) =>
  isDigit(char) || char === 0x2e || char === 0x65 || char === 0x45 || char === 0x2b || char === minus

/** Yields the places of the numbers outside of strings. A pattern would take a hundred times as long for a string of escapes. */
function* numbersIn(text: string): Generator<readonly [from: number, to: number]> {
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === quote) {
      while (text.charCodeAt(++i) !== quote) if (text.charCodeAt(i) === backslash) i++
    } else if (char === minus || isDigit(char)) {
      const from = i
      while (isPart(text.charCodeAt(i + 1))) i++
      yield [from, i + 1]
    }
  }
}
