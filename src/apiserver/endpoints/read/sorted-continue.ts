/** Continue tokens of sorted lists: the revision of the first page, and the last object that was shown, with its values. */
import type { Sortable, SortValue } from '../../../registry/query/order.js'
import { exactJson, parseExact } from '../../../util/exact-json.js'
import { isObject } from '../../../util/json.js'

export interface SortedToken extends Sortable {
  readonly revision: number
}

const version = 'binnacle.dev/v1'

export const encodeSorted = (revision: number, { values, key }: Sortable): string =>
  Buffer.from(exactJson({ v: version, rv: revision, after: values, key })).toString('base64url')

/** Returns undefined for a text that is no such token. */
export function decodeSorted(text: string): SortedToken | undefined {
  let value: unknown
  try {
    value = parseExact(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
  if (!isObject(value) || value.v !== version) return undefined
  const { rv, after, key } = value
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv) || rv < 1 || typeof key !== 'string' || !Array.isArray(after))
    return undefined
  return after.every(isSortValue) ? { revision: rv, values: after, key } : undefined
}

const isSortValue = (value: unknown): value is SortValue => value === null || typeof value !== 'object'
