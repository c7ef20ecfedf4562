/** One watch: the events since the requested version or the present objects, then live events and bookmarks until its end. */
import type { OutputForm } from '../../../apimachinery/formats/negotiate.js'
import type { Sink } from '../../../apimachinery/request/message.js'
import { type Status, StatusError } from '../../../apimachinery/status/status.js'
import { find, type Plan } from '../../../registry/query/plan.js'
import type { FixedValue } from '../../../storage/cache-watchers.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import type { WatchHandle } from '../../../storage/contract.js'
import { type CacheEvent, HistoryGoneError } from '../../../storage/event-window.js'
import { startSlice } from '../../../util/turns.js'
import type { EndpointRequest } from '../endpoint.js'
import type { Version } from '../read/resource-version.js'
import { bookmarkObject, nextBookmark } from './bookmarks.js'
import { framesFor, type WatchEvent } from './frames.js'
import { eventBytes, maxWaitingBytes, WatchOutput } from './output.js'

export interface WatchOptions {
  readonly revision: Version | undefined
  readonly timeoutMs: number
  readonly bookmarks: boolean
  readonly initialEvents: boolean | undefined
}

export interface WatchParts {
  readonly request: EndpointRequest
  readonly form: OutputForm
  /** Undefined: all objects match. Throws a StatusError for a filter that costs too much. */
  readonly matches: ((object: CachedObject) => boolean) | undefined
  /** A value that every match has. */
  readonly fixed: FixedValue | undefined
  /** What finds the present objects. */
  readonly plan: Plan | undefined
  /** Whether matching takes time, so that other work has to have its turns. */
  readonly isFiltered: boolean
  readonly sink: Sink
  readonly options: WatchOptions
  /** The watched namespace; empty for all. */
  readonly namespace: string
  /** The key of the watched object, if the watch is for a single one. */
  readonly key: string | undefined
  /** The common prefix of the watched keys. */
  readonly prefix: string
}

export class WatchStream {
  readonly #parts: WatchParts
  readonly #output: WatchOutput
  /** The time at which the watch ends by itself. */
  #deadline = Number.POSITIVE_INFINITY
  /** The revision that the initial events cover. Live events and bookmarks up to it are skipped. */
  #after: Version = 0
  /** The version from which the client goes on, while its events have still to arrive here. */
  #expected: Version | undefined
  #past: WatchHandle | undefined
  #live: WatchHandle | undefined
  /** Bytes of the live events for which the filter has still to be evaluated. */
  #unfilteredBytes = 0
  #failed = false
  #ended = false
  readonly #timers: { cancel(): void }[] = []
  #bookmarkTimer: { cancel(): void } | undefined

  constructor(parts: WatchParts) {
    this.#parts = parts
    const { request, form, sink } = parts
    const { context, server } = request
    const { group, version } = context.info
    const frames = framesFor(request, form)
    const { faults } = server.services
    const error = (object: Status) => frames.one({ type: 'ERROR', object })
    this.#output = new WatchOutput({
      sink: faults && faults.watches.length > 0 ? faults.watchSink(context, sink, error) : sink,
      frames,
      shared: server.frames,
      turns: parts.isFiltered ? server.frames.filteredTurns : undefined,
      counts: server.watchMetrics.countsOf(group, version, request.resource.resource),
      onEnd: () => this.#release()
    })
  }

  get #cache() {
    return this.#parts.request.resource.cache
  }

  /** Sends nothing but `failure` if there is one. */
  start(failure?: StatusError): void {
    if (failure) return this.#fail(failure)
    const { services, stopping, minWatchMs } = this.#parts.request.server
    const { timeoutMs } = this.#parts.options
    const stop = () => this.#output.end()
    const leave = () => {
      if (stopping.reason instanceof StatusError) return this.#fail(stopping.reason)
      // not all clients are to come back at once
      const { spreadMs = 0 } = (stopping.reason ?? {}) as { spreadMs?: number }
      if (spreadMs > 0) this.#timers.push(services.clock.setTimeout(stop, services.random.apart('watches').fraction() * spreadMs))
      else stop()
    }
    if (stopping.aborted) return leave()
    stopping.addEventListener('abort', leave, { once: true })
    this.#timers.push({ cancel: () => stopping.removeEventListener('abort', leave) })
    // not all that begin together reconnect together
    const timeout = timeoutMs || minWatchMs * (1 + services.random.apart('watches').fraction())
    this.#deadline = services.clock.now() + timeout
    this.#timers.push(services.clock.setTimeout(stop, timeout))
    this.#begin()
  }

  #begin(): void {
    // the cache is reloading, and this watch cannot get the changes in between: the client has to start again
    if (!this.#cache.ready) return this.#output.end()
    try {
      this.#output.sendPast(this.#initial())
    } catch (error) {
      if (!(error instanceof HistoryGoneError)) throw error
      return void this.#replay()
    }
    this.#follow()
  }

  /** Sends the events that the cache no longer holds from the store's history first. */
  async #replay(): Promise<void> {
    const { key, prefix, options } = this.#parts
    try {
      // a version that the cache has dropped did exist, so it fits into a number
      this.#past = await this.#cache.history.replay(options.revision as number, key ?? prefix, {
        onEvents: events => this.#output.sendPast(this.#resumed(options.revision!, events)),
        pace: () => this.#output.whenTaken(),
        onPresent: () => this.#follow(),
        onError: error => this.#fail(error)
      })
      if (this.#ended) this.#past.close()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #fail(error: Error): void {
    this.#failed = true
    if (error instanceof HistoryGoneError) this.#output.send({ type: 'ERROR', object: gone(error.message) })
    if (error instanceof StatusError) this.#output.send({ type: 'ERROR', object: error.status })
    // a cache that ends meanwhile must not end the output before the error is sent
    this.#live?.close()
    this.#output.finish()
  }

  #follow(): void {
    if (this.#ended) return
    if (!this.#cache.ready) return this.#output.end()
    const { namespace, key, fixed, options } = this.#parts
    this.#live = this.#cache.watch(
      { namespace, key, fixed },
      {
        onEvents: this.#parts.isFiltered ? events => this.#deliverLater(events) : events => this.#deliver(events),
        onError: () => this.#output.end()
      }
    )
    if (options.bookmarks) this.#scheduleBookmark()
    const initialized = () => this.#initialized()
    const taking = this.#output.whenTaken()
    if (taking) void taking.then(initialized)
    else initialized()
  }

  /** The client has all initial events. */
  #initialized(): void {
    const { request, options } = this.#parts
    const { context, resource, server } = request
    context.initialized()
    // the watch stands for a list: it has a bookmark at the end of its initial events
    if (!options.initialEvents || !options.bookmarks || this.#ended) return
    const { group, version, name, namespace } = context.info
    const scope = name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster'
    const milliseconds = server.services.clock.now() - context.record.receivedAt
    server.watchMetrics.initialSeconds.of(group, version, resource.resource, scope).observe(milliseconds / 1000)
  }

  /** Returns the first events: the present objects, or the changes since the requested version. */
  #initial(): Iterable<WatchEvent | undefined> {
    const { prefix, key, options } = this.#parts
    const { revision, initialEvents, bookmarks } = options
    const cache = this.#cache
    this.#after = cache.revision
    if (initialEvents ?? (revision === undefined || revision === 0)) {
      // a snapshot of this moment, however late the client reads it
      const bookmark = initialEvents && bookmarks ? this.#bookmark(cache.revision, true) : undefined
      if (this.#parts.isFiltered) return this.#filtered(bookmark)
      const objects: CachedObject[] = []
      const only = key === undefined ? undefined : cache.get(key)
      for (const object of key === undefined ? cache.range(prefix) : only ? [only] : [])
        if (this.#matches(object)) objects.push(object)
      cache.counts.initial += objects.length
      return added(objects, bookmark)
    }
    if (revision === undefined || revision === 0) return []
    this.#after = revision
    if (revision <= cache.revision) return this.#resumed(revision, cache.history.eventsAfter(Number(revision) - 1))
    this.#expected = revision
    return []
  }

  /**
   * The events after a version, for a client that goes on from it. `events` begin with those of the version itself: when a set has written
   * several objects that this watch shows, the client may have seen the version in the first of them only, and gets all of them again.
   */
  #resumed(version: Version, events: readonly CacheEvent[]): Iterable<WatchEvent | undefined> {
    const { prefix, key } = this.#parts
    return this.#shownFrom(
      version,
      events.filter(event => inScope(event, prefix, key))
    )
  }

  *#shownFrom(version: Version, events: readonly CacheEvent[]): Generator<WatchEvent | undefined> {
    const again = yield* this.#isSeenInPart(version, events)
    yield* this.#shown(again ? events : events.filter(({ revision }) => revision > version))
  }

  /** Yields where other work is to have its turn: a set may have written a thousand objects. */
  *#isSeenInPart(version: Version, events: readonly CacheEvent[]): Generator<undefined, boolean> {
    let sliceIsOver = this.#parts.isFiltered ? startSlice() : undefined
    let shown = 0
    for (const event of events) {
      if (event.revision > version) break
      if (event.revision === version && this.#shownEvent(event) && ++shown > 1) return true
      if (!sliceIsOver?.()) continue
      yield undefined
      sliceIsOver = startSlice()
    }
    return false
  }

  /** The present objects that match, as the client takes them. Yields undefined where other work is to have its turn. */
  #filtered(bookmark: WatchEvent | undefined): Iterable<WatchEvent | undefined> {
    const { prefix, key, plan, request } = this.#parts
    const cache = this.#cache
    const only = key === undefined ? undefined : cache.get(key)
    const found = plan && key === undefined ? find(plan, cache, prefix, request.resource.namespaced) : undefined
    const candidates = key === undefined ? (found ?? cache.stableRange(prefix)) : only ? [only] : []
    const matching = this.#matching(candidates)
    return (function* () {
      yield* matching
      if (bookmark) yield bookmark
    })()
  }

  *#matching(candidates: Iterable<CachedObject>): Generator<WatchEvent | undefined> {
    let sliceIsOver = startSlice()
    for (const object of candidates) {
      if (this.#matches(object)) {
        this.#cache.counts.initial++
        yield { type: 'ADDED', object }
      }
      if (!sliceIsOver()) continue
      yield undefined
      sliceIsOver = startSlice()
    }
  }

  #matches(object: CachedObject): boolean {
    return this.#parts.matches?.(object) ?? true
  }

  #deliver(events: readonly CacheEvent[]): void {
    // without a filter, looking at the events yields nothing
    const again = this.#expected !== undefined && this.#isSeenInPart(this.#expected, events).next().value === true
    for (const event of events) {
      const shown = this.#isNew(event, again) ? this.#shownEvent(event) : undefined
      if (shown) this.#output.send(shown)
    }
  }

  /**
   * Evaluates the filter in a later turn: a write would else wait for the filters of all watchers. What waits is bounded, beside the events that
   * come at once; a watch whose filter takes longer than its objects take to change ends, as that of a slow client does.
   */
  #deliverLater(events: readonly CacheEvent[]): void {
    if (this.#unfilteredBytes > maxWaitingBytes) return this.#output.end()
    for (const event of events) this.#unfilteredBytes += bytesOf(event)
    this.#output.sendPast(this.#filteredLive(events))
  }

  *#filteredLive(events: readonly CacheEvent[]): Generator<WatchEvent | undefined> {
    if (this.#failed) return
    let sliceIsOver = startSlice()
    try {
      const again = this.#expected !== undefined && (yield* this.#isSeenInPart(this.#expected, events))
      sliceIsOver = startSlice()
      for (const event of events) {
        const shown = this.#isNew(event, again) ? this.#shownEvent(event) : undefined
        this.#unfilteredBytes -= bytesOf(event)
        if (shown) yield shown
        if (!sliceIsOver()) continue
        yield undefined
        sliceIsOver = startSlice()
      }
    } catch (error) {
      // a filter that costs too much
      if (!(error instanceof StatusError)) throw error
      this.#fail(error)
    }
  }

  #isNew({ revision }: CacheEvent, again: boolean): boolean {
    return revision > this.#after || (again && revision === this.#expected)
  }

  *#shown(events: Iterable<CacheEvent>): Generator<WatchEvent | undefined> {
    let sliceIsOver = this.#parts.isFiltered ? startSlice() : undefined
    for (const event of events) {
      const shown = this.#shownEvent(event)
      if (shown) yield shown
      if (!sliceIsOver?.()) continue
      yield undefined
      sliceIsOver = startSlice()
    }
  }

  /** Maps a change to this watcher's event: an object that leaves the selection is DELETED, one that enters it is ADDED. */
  #shownEvent({ current, previous, deleted, revision }: CacheEvent): WatchEvent | undefined {
    const before = previous !== undefined && this.#matches(previous)
    if (deleted) return before ? { type: 'DELETED', object: deleted } : undefined
    const now = current !== undefined && this.#matches(current)
    if (now) return { type: before ? 'MODIFIED' : 'ADDED', object: current }
    return before ? { type: 'DELETED', object: previous, leftAt: revision } : undefined
  }

  /** `after`: when the last one was due. A timer may fire a moment early. */
  #scheduleBookmark(after = 0): void {
    const { clock } = this.#parts.request.server.services
    const now = clock.now()
    const next = nextBookmark(Math.max(now, after), this.#deadline)
    if (next === undefined) return
    this.#bookmarkTimer = clock.setTimeout(() => {
      if (this.#ended) return
      const { revision } = this.#cache
      if (revision > this.#after) this.#sendBookmark(this.#bookmark(revision, false))
      this.#scheduleBookmark(next)
    }, next - now)
  }

  /** Keeps it behind the events before it, which may wait for their filter. */
  #sendBookmark(bookmark: WatchEvent): void {
    if (this.#parts.isFiltered) this.#output.sendPast([bookmark])
    else this.#output.send(bookmark)
  }

  /** Makes a bookmark: an object of the watched kind with only a resource version. */
  #bookmark(revision: number, endOfInitial: boolean): WatchEvent {
    const { resource, context } = this.#parts.request
    const object = bookmarkObject(resource, context.info.version, {
      resourceVersion: String(revision),
      ...(endOfInitial ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {})
    })
    return { type: 'BOOKMARK', object }
  }

  #release(): void {
    this.#ended = true
    this.#past?.close()
    this.#live?.close()
    this.#bookmarkTimer?.cancel()
    for (const timer of this.#timers) timer.cancel()
  }
}

function* added(objects: readonly CachedObject[], bookmark: WatchEvent | undefined): Generator<WatchEvent> {
  for (const object of objects) yield { type: 'ADDED', object }
  if (bookmark) yield bookmark
}

function inScope({ current, previous }: CacheEvent, prefix: string, key: string | undefined): boolean {
  const { key: own } = (current ?? previous)!
  return key === undefined ? own.startsWith(prefix) : own === key
}

const bytesOf = ({ current, previous }: CacheEvent): number => (current ?? previous)!.length + eventBytes

const gone = (message: string): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason: 'Expired',
  code: 410
})
