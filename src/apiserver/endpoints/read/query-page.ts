/**
 * A list with a filter or an order (docs/queries.md). The whole result is found at once, in turns with other work, and later pages are
 * slices of it: they show the state of the first, and the number of the remaining objects is known.
 */

import { orderParameter, wrongParameter } from '../../../apimachinery/request/query-parameters.js'
import { Budget } from '../../../registry/query/filter.js'
import type { Sortable } from '../../../registry/query/order.js'
import { find, oneOf, type Plan } from '../../../registry/query/plan.js'
import { sortInTurns } from '../../../registry/query/sort-in-turns.js'
import { unreadableList } from '../../../registry/unreadable.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import { compareText } from '../../../util/go-format.js'
import { nextTurn, startSlice } from '../../../util/turns.js'
import type { EndpointRequest } from '../endpoint.js'
import { encodeContinue } from './continue.js'
import type { Page } from './list.js'
import type { ListOptions } from './list-options.js'
import type { Selection } from './select.js'
import { decodeSorted, encodeSorted, type SortedToken } from './sorted-continue.js'

export interface QueryRange {
  readonly prefix: string
  /** The revision that a token or the client names; undefined for the present. */
  readonly exact: number | undefined
  readonly current: number
  readonly limit: number
  /** The key or the place at which the page begins; undefined for the first page. */
  readonly start: string | SortedToken | undefined
}

export async function queryPage(
  request: EndpointRequest,
  given: ListOptions,
  selection: Selection,
  { prefix, exact, current, limit, start }: QueryRange
): Promise<Page> {
  const { context, resource } = request
  const { cache } = resource
  const { filter, order } = given
  const revision = exact ?? current
  const key = JSON.stringify([prefix, context.info.version, filter?.text, order?.text, ...selectorsOf(context.query)])
  // the state of the first page must be there for the others
  const results = limit === Number.POSITIVE_INFINITY ? undefined : cache.history.resultsAt(revision)
  const known = results?.get(key) as readonly Found[] | undefined
  const found =
    known ?? (await search(request, given, selection, { prefix, exact: revision === cache.revision ? undefined : exact }))
  const from = start === undefined ? 0 : firstFrom(found, given, start)
  const shown = found.slice(from, from + Math.min(limit, found.length))
  const metadata: Page['metadata'] = { resourceVersion: String(revision) }
  const remaining = found.length - from - shown.length
  if (remaining > 0) {
    const last = shown.at(-1)!
    metadata.continue = order
      ? encodeSorted(revision, last)
      : encodeContinue(revision, found[from + shown.length]!.key.slice(prefix.length))
    metadata.remainingItemCount = remaining
    if (results && found.length <= maxKeptObjects) keep(results, key, found)
  }
  return { objects: shown.map(({ object }) => object), metadata }
}

/** Lists of one revision that are kept, and objects of such a list. */
const maxKept = 4
const maxKeptObjects = 200_000

function keep(results: Map<string, unknown>, key: string, found: readonly Found[]): void {
  if (results.size >= maxKept && !results.has(key)) results.delete(results.keys().next().value!)
  results.set(key, found)
}

/** An object that a query has found, with the values by which the list is sorted. */
interface Found extends Sortable {
  readonly object: CachedObject
}

const selectorsOf = (query: URLSearchParams) =>
  ['labelSelector', 'fieldSelector', 'shardSelector'].map(name => query.get(name) ?? '')

/** Finds the first object of a page. */
function firstFrom(found: readonly Found[], { order }: ListOptions, start: string | SortedToken): number {
  const isBefore =
    typeof start === 'string'
      ? (each: Found) => compareText(each.key, start) < 0
      : (each: Found) => order!.compare(each, start) <= 0
  let low = 0
  let high = found.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(found[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}

async function search(
  { context, resource, server: { services } }: EndpointRequest,
  { filter, order }: ListOptions,
  selection: Selection,
  { prefix, exact }: Pick<QueryRange, 'prefix' | 'exact'>
): Promise<Found[]> {
  const { cache } = resource
  const plan = exact === undefined ? planWith(selection, filter?.plan) : undefined
  const candidates = (plan && find(plan, cache, prefix, resource.namespaced)) ?? cache.stableRange(prefix, exact)
  const shown = order && shownIn(resource, context.info.version)
  const fromIndex = filter ? undefined : order?.fromIndex(resource)
  const budget = new Budget()
  const found: Found[] = []
  let fetched = 0
  let sliceIsOver = startSlice()
  for (const object of candidates) {
    fetched++
    if (object.problem !== undefined) throw unreadableList(resource, { prefix }, services.features)
    if (selection.matches && !selection.matches(object)) continue
    const known = fromIndex?.(object)
    const parsed = known ? undefined : resource.parse(object)
    if (!filter || filter.matches(parsed, budget))
      found.push({ object, key: object.key, values: known ?? (order ? order.valuesOf(shown!(parsed)) : none) })
    if (!sliceIsOver()) continue
    await nextTurn()
    context.throwIfAborted()
    sliceIsOver = startSlice()
  }
  cache.counts.countList('', fetched, found.length)
  return order ? sortInTurns(found, order.compare) : found
}

const none: readonly never[] = []

const shownIn = (resource: EndpointRequest['resource'], version: string): ((object: any) => any) =>
  version === resource.memoryVersion.name ? object => object : object => resource.inVersion(object, version)

/** Combines the plan of the filter with what the selectors say. */
export function planWith({ name, indexed }: Selection, plan: Plan | undefined): Plan | undefined {
  return oneOf([
    name === undefined ? undefined : { kind: 'names', names: [name] },
    plan,
    indexed && { kind: 'values', of: indexed.of, key: indexed.key, values: [indexed.value] }
  ])
}

/** Reads the token of a sorted list. Throws 400. */
export function sortedStart({ order, continue: token }: ListOptions): SortedToken {
  const start = decodeSorted(token)
  if (!start || start.values.length !== order!.fields.length)
    throw wrongParameter('continue', token, `is not a token of a list with ${orderParameter}=${order!.text}`)
  return start
}

/** Whether a cached object of a watch matches: labels and fields first, which cost nothing. */
export function watchMatcher({ resource }: EndpointRequest, selection: Selection, { filter }: ListOptions) {
  const { matches } = selection
  if (!filter) return matches
  const read = (object: CachedObject) => resource.peek(object)
  return (object: CachedObject) => (matches?.(object) ?? true) && filter.matchesWatched(object, read)
}
