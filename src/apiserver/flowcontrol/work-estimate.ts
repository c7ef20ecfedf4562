/** Estimates how much of the server a request will take, before it begins. */
import type { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { queryInteger } from '../../apimachinery/request/query-integer.js'
import { filterParameter } from '../../apimachinery/request/query-parameters.js'
import { isTrue } from '../../apimachinery/request/request-info.js'
import { setsPath } from '../../apimachinery/request/sets-path.js'
import type { Registry } from '../../registry/registry.js'
import type { WorkEstimate } from './flow-request.js'
import type { Schema } from './schemas.js'
import type { WatchCount } from './watch-count.js'

const oneSeat: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalMs: 0 }
const seats = (initialSeats: number): WorkEstimate => ({ initialSeats, finalSeats: 0, additionalMs: 0 })

const mostForLists = 100
/** Without the gate SizeBasedListCostEstimate. */
const mostForListsByCount = 10
const objectsPerSeat = 100
const mostForWrites = 10
/** Of the objects that a list reads. */
const bytesPerSeat = 100_000
/** A list from a cache is encoded piece by piece, and never takes more at once. */
const mostBytesFromCache = 1_000_000
const watchesPerSeat = 10
/** About ten objects. */
const setBytesPerSeat = 10_000
/** How long the watchers that have a seat are told of a write. */
const watchersMs = 5

const writes: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete'])

export class WorkEstimator {
  readonly #registry: Registry
  readonly #watches: WatchCount
  readonly #features: FeatureGates

  constructor(registry: Registry, watches: WatchCount, features: FeatureGates) {
    this.#registry = registry
    this.#watches = watches
    this.#features = features
  }

  estimate(context: RequestContext, schema: Schema): WorkEstimate {
    const { verb } = context.info
    if (verb === 'list' || (verb === 'watch' && this.#features.enabled('WatchList'))) return this.#list(context, schema)
    if (writes.has(verb)) return this.#write(context, schema)
    return context.info.path === setsPath ? setEstimate(context, schema) : oneSeat
  }

  #list(context: RequestContext, schema: Schema): WorkEstimate {
    const { info, query } = context
    const bySize = this.#features.enabled('SizeBasedListCostEstimate')
    const most = atMost(bySize ? mostForLists : mostForListsByCount, schema)
    let limit: number
    try {
      limit = queryInteger(query, 'limit') ?? 0
    } catch {
      // the endpoint refuses it
      return seats(most)
    }
    const version = query.get('resourceVersion') ?? ''
    const isWatch = info.verb === 'watch'
    if (isWatch && !isTrue(query.get('sendInitialEvents')) && version !== '' && version !== '0') return oneSeat
    const resource = this.#registry.find(info.group, info.version, info.resource)
    if (!resource || resource.kind.virtual || resource.cache.size === 0) return oneSeat
    const { size, averageBytes } = resource.cache
    const listed = limit > 0 ? Math.min(limit, size) : size
    const fromCache = isWatch || !needsHistory(query, version, limit)
    const isSelected = info.fieldSelector !== undefined || info.labelSelector !== undefined || query.has(filterParameter)
    const isNamed = info.name !== ''
    const wanted = bySize
      ? seatsBySize({ size, listed, isNamed, fromCache, isSelected }, averageBytes)
      : seatsByCount({ size, listed, isNamed, fromCache, isSelected })
    const given = Math.min(Math.max(wanted, 1), most)
    return given === 1 ? oneSeat : seats(given)
  }

  #write({ info }: RequestContext, schema: Schema): WorkEstimate {
    // a token is no object, and nobody watches it
    if (info.resource === 'serviceaccounts' && info.subresource === 'token') return oneSeat
    const watches = this.#watches.interestedIn(info)
    schema.stats.watchCounts.observe(watches)
    if (watches < watchesPerSeat) return oneSeat
    const wanted = Math.ceil(watches / watchesPerSeat)
    const finalSeats = Math.min(wanted, atMost(mostForWrites, schema))
    return { initialSeats: 1, finalSeats, additionalMs: (wanted * watchersMs) / finalSeats }
  }
}

/** A set takes as much as its objects do. Nobody knows their number before the body is read, so its size counts. */
function setEstimate(context: RequestContext, schema: Schema): WorkEstimate {
  const length = context.header('content-length')
  const wanted = length === undefined ? mostForWrites : Math.ceil(Number(length) / setBytesPerSeat) || 1
  const given = Math.min(wanted, atMost(mostForWrites, schema))
  return given <= 1 ? oneSeat : seats(given)
}

interface ListedObjects {
  /** The number of objects that are stored. */
  readonly size: number
  /** The number of objects that the list may return. */
  readonly listed: number
  /** The list is of a single object. */
  readonly isNamed: boolean
  readonly fromCache: boolean
  readonly isSelected: boolean
}

/** Goes by the bytes that the list holds in memory at once. */
function seatsBySize({ size, listed, isNamed, fromCache, isSelected }: ListedObjects, averageBytes: number): number {
  const read = isNamed ? 1 : fromCache || !isSelected ? listed : Math.max(listed, Math.trunc(size / 2))
  const bytes = read * averageBytes
  return Math.ceil((fromCache ? Math.min(bytes, mostBytesFromCache) : bytes) / bytesPerSeat)
}

/** Goes by the objects that are looked at: of a list from the store, those that are returned are looked at twice. */
function seatsByCount({ size, listed, isNamed, fromCache, isSelected }: ListedObjects): number {
  const read = isNamed ? 1 : fromCache ? size : listed + (isSelected ? size : listed)
  return Math.ceil(read / objectsPerSeat)
}

const atMost = (most: number, { level: { maxSeats } }: Schema) => (maxSeats === 0 || maxSeats > most ? most : maxSeats)

/** Whether kube-apiserver answers a list from etcd: one at a former version. */
function needsHistory(query: URLSearchParams, version: string, limit: number): boolean {
  const match = query.get('resourceVersionMatch') ?? ''
  if (match === 'NotOlderThan') return false
  if (match !== '') return true
  return (query.get('continue') ?? '') !== '' || (limit > 0 && version !== '' && version !== '0')
}
