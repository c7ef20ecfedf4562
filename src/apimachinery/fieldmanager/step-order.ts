/** The order of the steps of field paths: the path itself, then fields, keyed items, values of sets and places in lists. */

import { parseExact } from '../../util/exact-json.js'
import { compareText, sortedEntries } from '../../util/go-format.js'
import { isObject, type JsonObject } from '../../util/json.js'

const kinds = ['.', 'f', 'k', 'v', 'i']
/** An item of a list with one key, whose value is a text without escapes. */
const plainItem = /^k:\{"([^"\\]*)":"([^"\\]*)"\}$/
/** A text without escapes. */
const plainText = /^v:"[^"\\]*"$/

/** Compares steps as kube-apiserver does: values by their type, and numbers as such. */
export function byStep(a: string, b: string): number {
  const kind = a[0]!
  if (kind !== b[0]) return kinds.indexOf(kind) - kinds.indexOf(b[0]!)
  if (kind === 'i') return Number(a.slice(2)) - Number(b.slice(2))
  if (kind === 'v') {
    // a text precedes those that begin with it, which its closing quote would not
    if (plainText.test(a) && plainText.test(b)) return compare(a.slice(0, -1), b.slice(0, -1))
    return byValue(parseExact(a.slice(2)), parseExact(b.slice(2)))
  }
  return kind === 'k' ? byKey(a, b) : compare(a, b)
}

function byKey(a: string, b: string): number {
  const [left, right] = [plainItem.exec(a), plainItem.exec(b)]
  if (left && right) return compare(left[1]!, right[1]!) || compare(left[2]!, right[2]!)
  return byMembers(Object.entries(parseExact(a.slice(2)) as JsonObject), Object.entries(parseExact(b.slice(2)) as JsonObject))
}

function byMembers(a: [string, unknown][], b: [string, unknown][]): number {
  for (const [i, [name, value]] of a.entries()) {
    const other = b[i]
    if (!other) return 1
    const order = compare(name, other[0]) || byValue(value, other[1])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function byValue(a: unknown, b: unknown): number {
  const rank = rankOf(a)
  if (rank !== rankOf(b)) return rank - rankOf(b)
  if (Array.isArray(a)) return byMembers(membersOf(a), membersOf(b as unknown[]))
  if (isObject(a)) return byMembers(sortedMembers(a), sortedMembers(b as JsonObject))
  return a === null ? 0 : compare(a as string, b as string)
}

const rankOf = (value: unknown): number => {
  if (value === null) return 5
  if (Array.isArray(value)) return 3
  const rank = ['number', 'string', 'boolean'].indexOf(typeof value === 'bigint' ? 'number' : typeof value)
  return rank < 0 ? 4 : rank
}

const membersOf = (list: unknown[]) => list.map((value): [string, unknown] => ['', value])
const sortedMembers = (map: JsonObject) => sortedEntries(map)

const compare = <T extends string | number | bigint | boolean>(a: T, b: T) =>
  typeof a === 'string' ? compareText(a, b as string) : a < b ? -1 : a > b ? 1 : 0
