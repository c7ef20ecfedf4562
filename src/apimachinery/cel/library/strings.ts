/** cel-go's strings library, version 2. Positions count characters. */

import { goEscapes } from '../../../util/go-format.js'
import { type CallCost, traversal } from '../cost/call-cost.js'
import { add, fixed, multiply, type Range, scale, unknownSize, unlimited } from '../cost/estimate-range.js'
import { perCharacter } from '../cost/rates.js'
import { actualSize, traversalCost } from '../cost/sizes.js'
import { type Library, overload } from '../declarations.js'
import { characters, longestText, textTooLong, unitAt } from '../values/text.js'
import { ArrayList, CelError, type ListValue, type Value } from '../values/value.js'
import { formatString } from './string-format.js'

const outOfRange = (i: bigint) => new CelError(`index out of range: ${i}`)

/** The cost of a search. In lists, elements and their contents are compared. */
export const searchCost: CallCost = {
  estimate: ([target]) => {
    const size = target?.size ?? unknownSize
    const element = target?.element()
    if (!element) return { cost: scale(size, perCharacter) }
    const isText = element.type.kind === 'string' || element.type.kind === 'bytes'
    const each = isText ? add(fixed(1), scale(element.size, perCharacter)) : fixed(1)
    return { cost: multiply(size, each) }
  },
  actual: ([target]) => traversalCost(target!),
  byName: true
}

const sameSize = traversal(0, { sized: true })

const replaceCost: CallCost = {
  estimate: ([text, old, replacement]) => {
    const size = text?.size ?? unknownSize
    const result = replacedSize(size, old?.size ?? unknownSize, replacement?.size ?? unknownSize)
    return { cost: scale(size, 2 * perCharacter), size: result }
  },
  actual: ([text]) => Math.ceil(actualSize(text!) * 2 * perCharacter),
  byName: true
}

/** Replacing "" inserts the replacement around every character. */
function replacedSize(text: Range, old: Range, by: Range): Range {
  const most = () => {
    if (old.min === 0) return (text.max < unlimited ? text.max + 1 : text.max) * by.max + text.max
    return by.max <= old.min ? text.max : Math.ceil(text.max / old.min) * by.max
  }
  const least = () => {
    if (old.max === 0) return (text.min + 1) * by.min + text.min
    return old.max <= by.min ? text.min : Math.ceil(text.min / old.max) * by.min
  }
  return { min: Math.min(least(), unlimited), max: Math.min(most(), unlimited) }
}

const splitCost: CallCost = {
  estimate: ([text, , limit]) => {
    const size = text?.size ?? unknownSize
    const literal = limit?.expr?.kind === 'literal' ? limit.expr.value : undefined
    const max = typeof literal === 'bigint' ? (literal < 0n ? unlimited : Number(literal)) : size.max
    return { cost: scale(size, 2 * perCharacter), size: { min: 0, max } }
  },
  actual: replaceCost.actual,
  byName: true
}

const joinCost: CallCost = {
  estimate: ([list, separator]) => {
    const count = list?.size ?? unknownSize
    const element = list?.element()
    let size = element ? multiply(count, element.size) : fixed(0)
    if (separator) {
      const between = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }
      size = add(size, multiply(separator.size, between))
    }
    return { cost: scale(size, perCharacter), size }
  },
  actual: (_, result) => Math.ceil(actualSize(result) * 2 * perCharacter),
  needsResult: true,
  byName: true
}

const quoteCost: CallCost = {
  estimate: ([text]) => {
    const size = text?.size ?? unknownSize
    // cel-go's sum overflows to 0 when the size is unknown
    const max = size.max >= unlimited ? 0 : Math.min(size.max * 2 + 2, unlimited)
    return { cost: scale(size, perCharacter), size: { min: size.min + 2, max } }
  },
  actual: ([text]) => Math.ceil(actualSize(text!) * perCharacter)
}

const formatCost: CallCost = {
  estimate: ([text]) => ({ cost: scale(text?.size ?? unknownSize, perCharacter) }),
  actual: quoteCost.actual
}

function charAt(text: string, i: bigint): Value {
  if (i < 0n || i > characters(text)) return outOfRange(i)
  const unit = unitAt(text, Number(i))
  return text.slice(unit, unitAt(text.slice(unit, unit + 2), 1) + unit)
}

function indexOf(text: string, part: string, from = 0n): Value {
  if (from < 0n) return outOfRange(from)
  if (part === '') return within(text, from)
  if (from >= characters(text)) return -1n
  return position(text, text.indexOf(part, unitAt(text, Number(from))))
}

function lastIndexOf(text: string, part: string, from?: bigint): Value {
  if (from === undefined) {
    if (part === '') return BigInt(characters(text))
    return position(text, text.lastIndexOf(part))
  }
  if (from < 0n) return outOfRange(from)
  if (part === '') return within(text, from)
  return from >= characters(text) ? -1n : position(text, text.lastIndexOf(part, unitAt(text, Number(from))))
}

/** Returns a position, or the end of the text for those beyond. */
const within = (text: string, i: bigint) => BigInt(Math.min(Number(i), characters(text)))
const position = (text: string, unit: number) => (unit < 0 ? -1n : BigInt(characters(text.slice(0, unit))))

function substring(text: string, start: bigint, end?: bigint): Value {
  const length = characters(text)
  if (end !== undefined && start > end) return new CelError(`invalid substring range. start: ${start}, end: ${end}`)
  for (const i of [start, end ?? start]) if (i < 0n || i > length) return outOfRange(i)
  return text.slice(unitAt(text, Number(start)), end === undefined ? undefined : unitAt(text, Number(end)))
}

/** Go's strings.Replace: a negative limit replaces all occurrences. */
function replace(text: string, old: string, by: string, limit = -1n): Value {
  if (by.length > old.length && (text.length / Math.max(1, old.length) + 1) * by.length > longestText) return textTooLong
  const parts = split(text, old, limit < 0n ? -1n : old === '' ? limit : limit + 1n)
  if (old !== '') return limit === 0n ? text : parts.join(by)
  const chars = [...text]
  const count = limit < 0n ? chars.length + 1 : Math.min(Number(limit), chars.length + 1)
  return chars.map((c, i) => (i < count ? by + c : c)).join('') + (count > chars.length ? by : '')
}

/** Go's strings.SplitN. */
function split(text: string, separator: string, limit = -1n): string[] {
  if (limit === 0n) return []
  const parts = separator === '' ? [...text] : text.split(separator)
  const most = limit < 0n ? parts.length : Number(limit)
  if (parts.length <= most) return parts
  return [...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)]
}

function join(list: ListValue, separator = ''): Value {
  const parts: string[] = []
  let length = 0
  for (const item of list) {
    if (typeof item !== 'string') return new CelError(`join: invalid input: ${String(item)}`)
    parts.push(item)
    length += item.length + separator.length
    if (length > longestText) return textTooLong
  }
  return parts.join(separator)
}

const lower = (text: string) => text.replace(/[A-Z]+/g, part => part.toLowerCase())
const upper = (text: string) => text.replace(/[a-z]+/g, part => part.toUpperCase())
/** Go's unicode.IsSpace, which excludes the byte order mark. */
const spaces = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
const leading = new RegExp(`^${spaces}+`)
const trailing = new RegExp(`${spaces}$`)

function trim(text: string): string {
  let end = text.length
  while (end > 0 && trailing.test(text[end - 1]!)) end--
  return text.slice(0, end).replace(leading, '')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches the characters to escape
const quote = (text: string) => `"${text.replace(/[\x07-\r\\"]/g, c => goEscapes[c] ?? c)}"`

const list = (items: string[]) => new ArrayList(items)
const cost = (cost: CallCost) => ({ cost })

export const strings: Library = {
  functions: {
    charAt: [overload('string_char_at_int', 'string.(int) -> string', charAt)],
    indexOf: [
      overload('string_index_of_string', 'string.(string) -> int', indexOf, cost(searchCost)),
      overload('string_index_of_string_int', 'string.(string, int) -> int', indexOf, cost(searchCost))
    ],
    lastIndexOf: [
      overload('string_last_index_of_string', 'string.(string) -> int', lastIndexOf, cost(searchCost)),
      overload('string_last_index_of_string_int', 'string.(string, int) -> int', lastIndexOf, cost(searchCost))
    ],
    lowerAscii: [overload('string_lower_ascii', 'string.() -> string', lower, cost(sameSize))],
    upperAscii: [overload('string_upper_ascii', 'string.() -> string', upper, cost(sameSize))],
    replace: [
      overload('string_replace_string_string', 'string.(string, string) -> string', replace, cost(replaceCost)),
      overload('string_replace_string_string_int', 'string.(string, string, int) -> string', replace, cost(replaceCost))
    ],
    split: [
      overload(
        'string_split_string',
        'string.(string) -> list(string)',
        (s: string, sep: string) => list(split(s, sep)),
        cost(splitCost)
      ),
      overload(
        'string_split_string_int',
        'string.(string, int) -> list(string)',
        (s: string, sep: string, n: bigint) => list(split(s, sep, n)),
        cost(splitCost)
      )
    ],
    substring: [
      overload('string_substring_int', 'string.(int) -> string', substring, cost(sameSize)),
      overload('string_substring_int_int', 'string.(int, int) -> string', substring, cost(sameSize))
    ],
    trim: [overload('string_trim', 'string.() -> string', trim, cost(sameSize))],
    join: [
      overload('list_join', 'list(string).() -> string', join, cost(joinCost)),
      overload('list_join_string', 'list(string).(string) -> string', join, cost(joinCost))
    ],
    format: [overload('string_format', 'string.(list(dyn)) -> string', formatString, cost(formatCost))],
    'strings.quote': [overload('strings_quote', 'string -> string', quote, cost(quoteCost))]
  }
}
