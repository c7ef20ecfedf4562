/** WATCH: events of the cache as a stream of JSON documents or Protobuf frames. One frame is one buffer, shared by all watchers of its form. */

import type { OutputForm } from '../formats/negotiate.js'
import { partialObject } from '../formats/partial.js'
import { includeOption, toTable } from '../formats/table.js'
import type { Resource } from '../registry/resource.js'
import { decode } from '../schema/decode.js'
import type { RequestContext, Response, Sink } from '../server/context.js'
import { isTrue } from '../server/request-info.js'
import { badRequest, plainError, type Status, StatusError } from '../server/status.js'
import { CachedObject } from '../storage/cached-object.js'
import type { WatchHandle } from '../storage/contract.js'
import { type CacheEvent, HistoryGoneError } from '../storage/event-window.js'
import { type Endpoint, type EndpointRequest, requestedForm } from './endpoint.js'
import { type ListOptions, listOptions } from './list-options.js'
import { invalidVersion, isVersion, parseResourceVersion } from './resource-version.js'
import { type Selection, selectionOf } from './select.js'
import { type EventType, jsonFrame, protobufFrame } from './watch-frames.js'

const bookmarkMs = 60_000
const lastBookmarkMs = 2000
/** Bytes that may wait for a client that does not read; then it is dropped. */
const maxWaitingBytes = 16 * 1024 * 1024
/** Without timeoutSeconds a watch ends after this long, and up to as long again, so that not all reconnect at once. */
const minTimeoutMs = 30 * 60_000
/** What a timer can hold: 24 days. */
const maxTimeoutSeconds = 2_000_000

export const watch: Endpoint = async request => {
  const { context, resource } = request
  // what any answer could be comes first, and whether it can be a stream last
  requestedForm(request)
  // the old paths for watching take the parameters of a list, unless they ask for a watch as well
  const given = listOptions(context, resource, isTrue(context.query.get('watch')))
  const selection = selectionOf(given)
  if (context.info.parts.length > 1 && given.fields.length > 0 && selection.name !== context.info.name)
    throw badRequest("fieldSelector metadata.name doesn't match requested name")
  const options = watchOptions(given)
  const form = requestedForm(request, { watch: true })
  if (form.transform === 'Table') includeOption(context)
  const { name, namespace } = context.info
  const named = name !== '' ? name : selection.name
  const prefix = resource.namespaced && namespace !== '' ? `${namespace}/` : ''
  const key = named !== undefined && (prefix !== '' || !resource.namespaced) ? prefix + named : undefined
  const headers = { 'content-type': isProtobuf(form) ? `${form.mediaType};stream=watch` : form.mediaType }
  const stream = (sink: Sink) => {
    // no event could be shown in that form: the first one would end the stream
    if (form.transform === 'PartialObjectMetadataList') return sink.end()
    const watcher = new WatchStream(request, form, selection, sink, options)
    watcher.start({ namespace, key, prefix })
  }
  return { status: 200, headers, stream } satisfies Response
}

const isProtobuf = ({ mediaType }: OutputForm) => mediaType === 'application/vnd.kubernetes.protobuf'

interface WatchOptions {
  readonly revision: number | undefined
  readonly timeoutMs: number
  readonly bookmarks: boolean
  readonly initialEvents: boolean | undefined
}

function watchOptions(given: ListOptions): WatchOptions {
  const { resourceVersion: version, timeoutSeconds } = given
  if (version !== '' && !isVersion(version)) throw plainError(invalidVersion(version))
  return {
    revision: version === '' ? undefined : Number(version),
    timeoutMs: Math.min(Math.max(0, timeoutSeconds), maxTimeoutSeconds) * 1000,
    bookmarks: given.allowWatchBookmarks,
    initialEvents: given.sendInitialEvents
  }
}

interface Start {
  readonly namespace: string
  readonly key: string | undefined
  readonly prefix: string
}

class WatchStream {
  readonly #request: EndpointRequest
  readonly #context: RequestContext
  readonly #resource: Resource
  readonly #selection: Selection
  readonly #sink: Sink
  readonly #options: WatchOptions
  readonly #frames: Frames
  readonly #frameOfObject: (type: EventType, object: unknown) => Buffer
  #handle: WatchHandle | undefined
  #live: WatchHandle | undefined
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #flowing = true
  #scheduled = false
  #ended = false
  readonly #timers: { cancel(): void }[] = []

  constructor(request: EndpointRequest, form: OutputForm, selection: Selection, sink: Sink, options: WatchOptions) {
    this.#request = request
    this.#context = request.context
    this.#resource = request.resource
    this.#selection = selection
    this.#sink = sink
    this.#options = options
    this.#frameOfObject = isProtobuf(form) ? protobufFrame : jsonFrame
    this.#frames = framesFor(request, form)
  }

  start(start: Start): void {
    const { services, stopping } = this.#request
    this.#sink.onClose(() => this.#end())
    this.#sink.onDrain(() => {
      this.#flowing = true
      this.#flush()
    })
    const stop = () => this.#end()
    stopping.addEventListener('abort', stop, { once: true })
    this.#timers.push({ cancel: () => stopping.removeEventListener('abort', stop) })
    const timeout = this.#options.timeoutMs || minTimeoutMs * (1 + Math.random())
    this.#timers.push(services.clock.setTimeout(() => this.#end(), timeout))
    const { revision } = this.#options
    if (revision === undefined || revision <= this.#resource.cache.revision) this.#begin(start)
    else void this.#waitFor(revision, start)
  }

  /** A watch from a version to come, which another server may have shown already, waits for it; it says so when it does not come. */
  async #waitFor(revision: number, start: Start): Promise<void> {
    try {
      await parseResourceVersion.waitFor(this.#resource, revision)
    } catch (error) {
      return this.#fail(error as Error)
    }
    if (!this.#ended) this.#begin(start)
  }

  #begin(start: Start): void {
    try {
      this.#initial(start)
    } catch (error) {
      if (!(error instanceof HistoryGoneError)) throw error
      return void this.#replay(start)
    }
    this.#follow(start)
  }

  /** Shows what the cache has forgotten from the store's history first. */
  async #replay(start: Start): Promise<void> {
    const { key, prefix } = start
    try {
      this.#handle = await this.#resource.cache.replay(this.#options.revision!, key ?? prefix, {
        onEvents: events => this.#deliver(events.filter(e => inScope(e, prefix, key))),
        onPresent: () => this.#follow(start),
        onError: error => this.#fail(error)
      })
      if (this.#ended) this.#handle.close()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #fail(error: Error): void {
    if (error instanceof HistoryGoneError) this.#send(this.#frameOfObject('ERROR', gone(error.message)))
    if (error instanceof StatusError) this.#send(this.#frameOfObject('ERROR', error.status))
    this.#flush()
    this.#end()
  }

  #follow(start: Start): void {
    if (this.#ended) return
    this.#live = this.#resource.cache.watch(
      { namespace: start.namespace, key: start.key, fixed: this.#selection.indexed },
      { onEvents: events => this.#deliver(events), onError: () => this.#end() }
    )
    if (this.#options.bookmarks) this.#scheduleBookmark()
    this.#flush()
  }

  /** What the client gets first: the present objects, or what happened since the version that it saw. */
  #initial({ prefix, key }: Start): void {
    const { revision, initialEvents } = this.#options
    const { cache } = this.#resource
    if (initialEvents ?? (revision === undefined || revision === 0)) {
      for (const object of cache.range(prefix)) {
        if ((key === undefined || object.key === key) && this.#matches(object)) this.#send(this.#frames('ADDED', object))
      }
      if (initialEvents && this.#options.bookmarks) this.#send(this.#bookmark(cache.revision, true))
    } else if (revision !== undefined && revision > 0 && initialEvents === undefined) {
      const events = cache.eventsAfter(revision).filter(e => inScope(e, prefix, key))
      this.#queue(events)
    }
  }

  #matches(object: CachedObject): boolean {
    return this.#selection.matches?.(object) ?? true
  }

  #deliver(events: readonly CacheEvent[]): void {
    if (this.#ended) return
    this.#queue(events)
    this.#schedule()
  }

  #queue(events: readonly CacheEvent[]): void {
    for (const event of events) {
      const frame = this.#frameOf(event)
      if (frame) this.#send(frame)
    }
  }

  /** An object that leaves the selection is deleted for this watcher, one that enters it is added. */
  #frameOf({ current, previous, deleted, revision }: CacheEvent): Buffer | undefined {
    const before = previous !== undefined && this.#matches(previous)
    if (deleted) return before ? this.#frames('DELETED', deleted) : undefined
    const now = current !== undefined && this.#matches(current)
    if (now) return this.#frames(before ? 'MODIFIED' : 'ADDED', current)
    return before ? this.#frames('DELETED', withRevision(this.#resource, previous, revision)) : undefined
  }

  #send(frame: Buffer): void {
    this.#waiting.push(frame)
    this.#waitingBytes += frame.length
    if (this.#waitingBytes <= maxWaitingBytes) return
    if (this.#flowing) this.#flush()
    else this.#end()
  }

  /** Frames of one turn of the event loop leave together. */
  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#ended || !this.#flowing || this.#waiting.length === 0) return
    const frames = this.#waiting
    const bytes = this.#waitingBytes
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#sink.messages) for (const frame of frames) this.#flowing = this.#sink.write(frame)
    else this.#flowing = this.#sink.write(this.#request.frames.joined(frames, bytes))
  }

  #scheduleBookmark(): void {
    this.#timers.push(
      this.#request.services.clock.setTimeout(() => {
        if (this.#ended) return
        this.#send(this.#bookmark(this.#resource.cache.revision, false))
        this.#flush()
        this.#timers.splice(2)
        this.#scheduleBookmark()
      }, this.#nextBookmarkMs())
    )
  }

  /** Once a minute, and once more right before a watch with a set end is over. */
  #nextBookmarkMs(): number {
    const { timeoutMs } = this.#options
    return timeoutMs > lastBookmarkMs ? Math.min(bookmarkMs, timeoutMs - lastBookmarkMs) : bookmarkMs
  }

  /** An object of the kind that has nothing but a version. */
  #bookmark(revision: number, endOfInitial: boolean): Buffer {
    const { version } = this.#context.info
    const { object } = decode(this.#resource.type(version), {
      kind: this.#resource.kind.kind,
      apiVersion: this.#resource.apiVersion(version)
    })
    object.metadata.resourceVersion = String(revision)
    if (endOfInitial) object.metadata.annotations = { 'k8s.io/initial-events-end': 'true' }
    return this.#frames('BOOKMARK', object)
  }

  #end(): void {
    if (this.#ended) return
    this.#flush()
    this.#ended = true
    this.#handle?.close()
    this.#live?.close()
    for (const timer of this.#timers) timer.cancel()
    this.#waiting = []
    this.#sink.end()
  }
}

function inScope({ current, previous }: CacheEvent, prefix: string, key: string | undefined): boolean {
  const { key: own } = (current ?? previous)!
  return key === undefined ? own.startsWith(prefix) : own === key
}

const gone = (message: string): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  reason: 'Expired',
  code: 410
})

/** Makes the frame of one event in the form that a watcher wants. */
type Frames = (type: EventType, object: CachedObject | Bookmark) => Buffer

/** An object that never was in the cache, in the version that the watcher speaks. */
type Bookmark = { readonly metadata: object }

function framesFor({ context, resource, services, frames }: EndpointRequest, form: OutputForm): Frames {
  const { version } = context.info
  const frameOf = isProtobuf(form) ? protobufFrame : jsonFrame
  const inMemoryVersion = version === resource.memoryVersion.name
  if (form.transform === undefined && (isProtobuf(form) || inMemoryVersion)) {
    const cached = isProtobuf(form) ? frames.protobuf(resource, version) : frames.json
    return (type, object) => (object instanceof CachedObject ? cached(type, object) : frameOf(type, object))
  }
  let withoutColumns = false
  return (type, source) => {
    const isCached = source instanceof CachedObject
    const parsed: any = isCached ? resource.parse(source) : source
    if (form.transform === 'Table') {
      const { resourceVersion } = parsed.metadata
      const options = { context, form, now: services.clock.now(), metadata: { resourceVersion }, withoutColumns }
      withoutColumns = true
      return frameOf(type, toTable(isCached ? resource : { kind: resource.kind }, [parsed], options))
    }
    const object = isCached ? resource.inVersion(parsed, version) : parsed
    return frameOf(type, form.transform ? partialObject(object, form.transformVersion, resource.kind) : object)
  }
}

/** A previous state shown at the revision of the change that took it out of a selection. */
function withRevision(resource: Resource, object: CachedObject, revision: number): CachedObject {
  const parsed = resource.parse(object)
  const bytes = resource.form.splice(resource.form.encode(parsed), revision)
  return Object.assign(Object.create(Object.getPrototypeOf(object)), object, { revision, bytes })
}
