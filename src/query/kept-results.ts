/** What queries have found, for the later pages of the same list. */
import type { Resource } from '../registry/resource.js'
import type { CachedObject } from '../storage/cached-object.js'
import type { Sortable } from './order.js'

/** An object that a query has found, with the values by which the list is sorted. */
export interface Found extends Sortable {
  readonly object: CachedObject
}

/** As long as snapshots are kept for slow clients. Later pages are found anew, at the same revision. */
const keptMs = 15_000
/** Lists of one resource, and objects of a list, that are kept: each list holds the former states of its objects. */
const maxLists = 8
const maxObjects = 200_000

interface Kept {
  readonly found: readonly Found[]
  readonly at: number
}

const results = new WeakMap<Resource, Map<string, Kept>>()

/** `key` names the query with its revision. */
export function recallResult(resource: Resource, key: string, now: number): readonly Found[] | undefined {
  const lists = results.get(resource)
  if (!lists) return undefined
  dropOld(lists, now)
  return lists.get(key)?.found
}

export function keepResult(resource: Resource, key: string, found: readonly Found[], now: number): void {
  if (found.length > maxObjects) return
  let lists = results.get(resource)
  if (!lists) results.set(resource, (lists = new Map()))
  dropOld(lists, now)
  if (lists.size >= maxLists) lists.delete(lists.keys().next().value!)
  lists.set(key, { found, at: now })
}

function dropOld(lists: Map<string, Kept>, now: number): void {
  for (const [key, { at }] of lists) if (at < now - keptMs) lists.delete(key)
}
