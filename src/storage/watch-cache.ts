/**
 * The watch cache of one resource: every object as its encoded bytes and a small header, in key order, with the recent
 * events. All gets, lists and watches are served from it.
 *
 * It follows the store by a watch of its own. An event arrives before the write that caused it is acknowledged, so the cache
 * is current by construction with an embedded store; with a distributed one it is so after `catchUp`.
 */
import SortedBTree from 'sorted-btree'
import { exactJson } from '../util/exact-json.js'
import { intern } from '../util/intern.js'
import {
  CompactedError,
  type KeyValue,
  type Store,
  type StoreEvent,
  StoreUnavailableError,
  type WatchHandle
} from './contract.js'
import { LabelIndex } from './label-index.js'
import { type Lifecycle, lifecycleOf } from './lifecycle.js'

type Tree = SortedBTree.default<string, CachedObject>
// the package is CommonJS: to an ES module its class is a property of what it exports
const BTree = SortedBTree.default

/** How the objects of a resource are read from their stored form. */
export interface ObjectCodec {
  /** Reads a stored value. `attachment` is what the write handed on, if this process made it. */
  read(value: Buffer, revision: number, attachment: unknown): ReadObject
  /** The bytes to send for an encoded object at a revision: kind and apiVersion first. */
  splice(value: Buffer, revision: number): Buffer
  parse(bytes: Buffer): any
  /** Selectable fields beyond name and namespace; undefined when the kind has none. */
  fields(object: any): Record<string, string> | undefined
}

export interface ReadObject {
  /** To send, with the revision in it. */
  readonly bytes: Buffer
  readonly object: any
  /** Why the object cannot be shown, if so. */
  readonly problem?: string
}

const noLabels: Readonly<Record<string, string>> = {}

/** One object at one revision. Immutable. */
export class CachedObject {
  /** Below the resource's prefix: "namespace/name" or "name". */
  readonly key: string
  readonly namespace: string
  readonly name: string
  readonly revision: number
  readonly uid: string
  readonly labels: Readonly<Record<string, string>>
  readonly fields: Readonly<Record<string, string>> | undefined
  readonly lifecycle: Lifecycle | undefined
  /** The whole object as JSON, resourceVersion included. */
  readonly bytes: Buffer
  /** Set on an object that cannot be shown: what to say instead. */
  readonly problem: string | undefined

  constructor(key: string, revision: number, { bytes, object, problem }: ReadObject, fields: Record<string, string> | undefined) {
    this.key = key
    const slash = key.indexOf('/')
    this.namespace = slash < 0 ? '' : intern(key.slice(0, slash))
    this.name = slash < 0 ? key : key.slice(slash + 1)
    this.revision = revision
    this.uid = object.metadata.uid ?? ''
    this.labels = object.metadata.labels ?? noLabels
    this.fields = fields
    this.lifecycle = lifecycleOf(object.metadata)
    this.bytes = bytes
    this.problem = problem
  }
}

/** A change of one object. `current` is undefined for a deletion, `previous` for a creation. */
export interface CacheEvent {
  readonly revision: number
  readonly current: CachedObject | undefined
  readonly previous: CachedObject | undefined
  /** Milliseconds; when the event arrived. */
  readonly at: number
  /** For a deletion: the last state, at the deletion's revision. */
  readonly deleted: CachedObject | undefined
}

export interface CacheWatcher {
  /** Events of one commit batch, in order. Must not throw. */
  onEvents(events: readonly CacheEvent[]): void
  onError(error: Error): void
}

/** The asked-for history is gone. `oldest` is the first revision that could still be watched from. */
export class HistoryGoneError extends Error {
  readonly requested: number
  readonly oldest: number
  constructor(requested: number, oldest: number) {
    super(`too old resource version: ${requested} (${oldest})`)
    this.requested = requested
    this.oldest = oldest
  }
}

/** Events younger than this are always kept, so that a client that reconnects finds its place. */
const freshMs = 75_000
const minEvents = 100
const maxEvents = 20_000
/** A cache that cannot be read anew tries again after this long. */
const reloadMs = 1000
/** Snapshots that pages of a list refer to are kept so long. */
const snapshotMs = 5 * 60_000
const maxSnapshots = 256

/** A state that the later pages of a list are read from. */
interface Snapshot {
  readonly tree: Tree
  readonly at: number
  /** Objects from a page's first key on, by that key. */
  readonly remaining: Map<string, number>
}

export class WatchCache {
  readonly prefix: string
  readonly #store: Store
  readonly #codec: ObjectCodec
  readonly #now: () => number
  #tree: Tree = new BTree<string, CachedObject>()
  #events: CacheEvent[] = []
  /** Events at or before this revision are no longer in `#events`. */
  #forgotten = 0
  readonly #watchers = new Set<CacheWatcher>()
  readonly #namespaceWatchers = new Map<string, Set<CacheWatcher>>()
  readonly #objectWatchers = new Map<string, Set<CacheWatcher>>()
  readonly #labelIndex = new LabelIndex()
  /** Objects of each namespace; of cluster-scoped resources under "". */
  #counts = new Map<string, number>()
  readonly #snapshots = new Map<number, Snapshot>()
  #handle: WatchHandle | undefined
  #loading: Promise<void> | undefined
  #ready = false
  #closed = false

  constructor(store: Store, prefix: string, codec: ObjectCodec, now: () => number) {
    this.#store = store
    this.prefix = prefix
    this.#codec = codec
    this.#now = now
  }

  /** True once the cache shows the store. Until then callers wait for `load`. */
  get ready(): boolean {
    return this.#ready
  }

  load(): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreUnavailableError('the resource is no longer served in this form'))
    return (this.#loading ??= this.#load().catch(error => {
      this.#loading = undefined
      throw error
    }))
  }

  async #load(): Promise<void> {
    const { items, revision } = await this.#store.list(this.prefix)
    const before = this.#tree
    const tree: Tree = new BTree<string, CachedObject>()
    this.#counts = new Map()
    this.#labelIndex.clear()
    for (const item of items) {
      const object = this.#cached(item, undefined)
      tree.set(object.key, object)
      this.#count(object, 1)
    }
    this.#tree = tree
    this.#events = []
    this.#forgotten = revision
    this.#deliver(this.#differences(before, revision))
    this.#handle = await this.#store.watch(this.prefix, revision + 1, {
      onEvents: events => this.#apply(events),
      onError: error => this.#lost(error)
    })
    this.#ready = true
  }

  /** What happened while the cache was cut off from the store, for those in this process who go on to watch. */
  #differences(before: Tree, revision: number): CacheEvent[] {
    const changes: CacheEvent[] = []
    if (before.isEmpty && this.#watchers.size === 0) return changes
    const at = this.#now()
    for (const current of this.#tree.values()) {
      const previous = before.get(current.key)
      if (previous?.revision !== current.revision)
        changes.push({ revision: current.revision, current, previous, at, deleted: undefined })
    }
    for (const previous of before.values()) {
      if (this.#tree.has(previous.key)) continue
      changes.push({ revision, current: undefined, previous, at, deleted: this.#atRevision(previous, revision) })
    }
    return changes.sort((a, b) => a.revision - b.revision)
  }

  #count({ namespace }: CachedObject, change: 1 | -1): void {
    const count = (this.#counts.get(namespace) ?? 0) + change
    if (count === 0) this.#counts.delete(namespace)
    else this.#counts.set(namespace, count)
  }

  #cached(item: KeyValue, attachment: unknown): CachedObject {
    const read = this.#read(item, attachment)
    return new CachedObject(item.key.slice(this.prefix.length), item.modRevision, read, this.#codec.fields(read.object))
  }

  #read({ key, value, modRevision }: KeyValue, attachment: unknown): ReadObject {
    try {
      return this.#codec.read(value, modRevision, attachment)
    } catch (error) {
      throw new Error(`${key} in the store cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }

  #apply(events: readonly StoreEvent[]): void {
    const at = this.#now()
    const changes: CacheEvent[] = []
    for (const event of events) {
      const key = event.key.slice(this.prefix.length)
      const previous = this.#tree.get(key)
      const current = event.current ? this.#cached(event.current, event.attachment) : undefined
      if (current) this.#tree.set(key, current)
      else if (previous) this.#tree.delete(key)
      else continue
      this.#labelIndex.replace(previous, current)
      if (!previous) this.#count(current!, 1)
      else if (!current) this.#count(previous, -1)
      changes.push({
        revision: event.revision,
        current,
        previous,
        at,
        deleted: current || !previous ? undefined : this.#atRevision(previous, event.revision)
      })
    }
    for (const change of changes) this.#events.push(change)
    this.#trim(at)
    this.#deliver(changes)
  }

  /** The last state of a deleted object carries the revision of its deletion. */
  #atRevision(object: CachedObject, revision: number): CachedObject {
    const parsed = this.#codec.parse(object.bytes)
    delete parsed.metadata.resourceVersion
    const bytes = this.#codec.splice(Buffer.from(exactJson(parsed)), revision)
    return new CachedObject(object.key, revision, { bytes, object: parsed }, object.fields)
  }

  #trim(now: number): void {
    const events = this.#events
    if (events.length <= minEvents) return
    let drop = Math.max(0, events.length - maxEvents)
    const last = events.length - minEvents
    while (drop < last && events[drop]!.at < now - freshMs) drop++
    // not one by one: shifting an array costs its length
    if (drop < 256 && events.length <= maxEvents + 256) return
    this.#forgotten = events[drop - 1]!.revision
    this.#events = events.slice(drop)
  }

  #deliver(changes: readonly CacheEvent[]): void {
    if (changes.length === 0) return
    for (const watcher of this.#watchers) watcher.onEvents(changes)
    if (this.#namespaceWatchers.size > 0) deliverBy(this.#namespaceWatchers, changes, o => o.namespace)
    if (this.#objectWatchers.size > 0) deliverBy(this.#objectWatchers, changes, o => o.key)
  }

  /** The store's watch ended under the cache: clients who watch have to start again, and the cache reads everything anew. */
  #lost(error: Error): void {
    this.#ready = false
    this.#loading = undefined
    this.#handle = undefined
    if (!this.#closed) void this.#reload()
    const watchers = [this.#watchers, ...this.#namespaceWatchers.values(), ...this.#objectWatchers.values()].flatMap(set => [
      ...set
    ])
    for (const watcher of watchers) watcher.onError(error)
  }

  async #reload(): Promise<void> {
    while (!this.#closed && !this.#ready) {
      await this.load().catch(() => new Promise(resolve => setTimeout(resolve, reloadMs).unref()))
    }
  }

  get(key: string): CachedObject | undefined {
    return this.#tree.get(key)
  }

  get size(): number {
    return this.#tree.size
  }

  /** The newest revision that the cache shows. */
  get revision(): number {
    return this.#store.seenRevision
  }

  /**
   * Resolves when this cache, and all others of the process, show everything that was acknowledged before the call, by
   * whichever server; undefined when they do already, as with an embedded store always.
   */
  catchUp(): Promise<number> | undefined {
    const revision = this.#store.currentRevision()
    return typeof revision === 'number' ? undefined : revision
  }

  /**
   * Objects whose key starts with `prefix`, in key order, from `start` on, as of now or of a revision in the window.
   * Throws CompactedError where the window has passed.
   */
  *range(prefix: string, start = prefix, revision?: number): Generator<CachedObject> {
    const tree = revision === undefined ? this.#tree : this.#treeAt(revision)
    for (const [key, object] of tree.entries(start)) {
      if (!key.startsWith(prefix)) return
      yield object
    }
  }

  /** The present objects that carry a label with a value, in key order. */
  byLabel(label: string, value: string, prefix: string): CachedObject[] {
    const found = this.#labelIndex.find(label, value, () => this.#tree.values())
    if (!found) return []
    const keys = [...found.keys()].sort()
    const inPrefix = prefix === '' ? keys : keys.filter(key => key.startsWith(prefix))
    return inPrefix.map(key => found.get(key)!)
  }

  /**
   * Keeps what the next page of a list at `revision` needs, and says how many objects it and later ones will show: from
   * `next` on. `shown` is how many came before on a first page, which shows the present.
   */
  keepForNextPage(revision: number, prefix: string, next: string, shown: number | undefined): number {
    const snapshot = this.#snapshots.get(revision) ?? this.#takeSnapshot(revision)
    const known = snapshot.remaining.get(prefix + next)
    if (known !== undefined) return known
    let remaining = 0
    if (shown !== undefined) remaining = (prefix === '' ? this.#tree.size : (this.#counts.get(prefix.slice(0, -1)) ?? 0)) - shown
    else for (const _ of this.range(prefix, next, revision)) remaining++
    snapshot.remaining.set(prefix + next, remaining)
    return remaining
  }

  #takeSnapshot(revision: number): Snapshot {
    const now = this.#now()
    for (const [old, { at }] of this.#snapshots) {
      if (at >= now - snapshotMs && this.#snapshots.size < maxSnapshots) break
      this.#snapshots.delete(old)
    }
    const snapshot: Snapshot = { tree: this.#treeAt(revision).clone(), at: now, remaining: new Map() }
    this.#snapshots.set(revision, snapshot)
    return snapshot
  }

  #treeAt(revision: number): Tree {
    const snapshot = this.#snapshots.get(revision)
    if (snapshot) return snapshot.tree
    if (revision < this.#forgotten) throw new CompactedError(this.#forgotten)
    const newer = this.#events.length - this.#firstAfter(revision)
    if (newer === 0) return this.#tree
    const tree = this.#tree.clone()
    for (let i = this.#events.length - 1; i >= this.#events.length - newer; i--) {
      const { current, previous } = this.#events[i]!
      if (previous) tree.set(previous.key, previous)
      else if (current) tree.delete(current.key)
    }
    return tree
  }

  /** Index of the first kept event after a revision. */
  #firstAfter(revision: number): number {
    let low = 0
    let high = this.#events.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#events[middle]!.revision > revision) high = middle
      else low = middle + 1
    }
    return low
  }

  /** The kept events after a revision. Throws HistoryGoneError when some may be missing. */
  eventsAfter(revision: number): readonly CacheEvent[] {
    if (revision < this.#forgotten) throw new HistoryGoneError(revision, this.#forgotten)
    return this.#events.slice(this.#firstAfter(revision))
  }

  /**
   * What the cache has forgotten: delivers the events after `revision` from the store's history and calls `onPresent` when
   * they have reached what the cache shows, in the same turn, so that `watch` can go on from there. `prefix` is within the
   * cache's own. Rejects with HistoryGoneError when the store has forgotten them, too.
   */
  async replay(revision: number, prefix: string, watcher: CacheWatcher & { onPresent(): void }): Promise<WatchHandle> {
    let present = false
    let handle: WatchHandle | undefined
    try {
      handle = await this.#store.watch(this.prefix + prefix, revision + 1, {
        onEvents: events => {
          if (!present) watcher.onEvents(events.map(event => this.#replayed(event)))
        },
        onCaughtUp: () => {
          present = true
          handle?.close()
          watcher.onPresent()
        },
        onError: error => {
          if (!present) watcher.onError(goneFor(error, revision))
        }
      })
    } catch (error) {
      throw goneFor(error as Error, revision)
    }
    if (present) handle.close()
    return handle
  }

  #replayed({ revision, current, previous }: StoreEvent): CacheEvent {
    const before = previous && this.#cached(previous, undefined)
    return {
      revision,
      current: current && this.#cached(current, undefined),
      previous: before,
      at: this.#now(),
      deleted: current || !before ? undefined : this.#atRevision(before, revision)
    }
  }

  /** Delivers every event from now on that may concern the scope: all, one namespace, or one object. */
  watch(scope: { namespace?: string | undefined; key?: string | undefined }, watcher: CacheWatcher): WatchHandle {
    if (scope.key !== undefined) return join(this.#objectWatchers, scope.key, watcher)
    if (scope.namespace !== undefined && scope.namespace !== '') return join(this.#namespaceWatchers, scope.namespace, watcher)
    this.#watchers.add(watcher)
    return { close: () => void this.#watchers.delete(watcher) }
  }

  /** Nothing is shown any more. Whoever watches has to start again, elsewhere. */
  close(): void {
    this.#closed = true
    this.#handle?.close()
    this.#lost(new StoreUnavailableError('the resource is no longer served in this form'))
  }
}

const goneFor = (error: Error, revision: number): Error =>
  error instanceof CompactedError ? new HistoryGoneError(revision, error.compactRevision) : error

function join(map: Map<string, Set<CacheWatcher>>, key: string, watcher: CacheWatcher): WatchHandle {
  let set = map.get(key)
  if (!set) map.set(key, (set = new Set()))
  set.add(watcher)
  return {
    close() {
      set.delete(watcher)
      if (set.size === 0 && map.get(key) === set) map.delete(key)
    }
  }
}

function deliverBy(
  map: Map<string, Set<CacheWatcher>>,
  changes: readonly CacheEvent[],
  keyOf: (object: CachedObject) => string
): void {
  let groups: Map<string, CacheEvent[]> | undefined
  for (const change of changes) {
    const key = keyOf((change.current ?? change.previous)!)
    if (!map.has(key)) continue
    const group = (groups ??= new Map()).get(key)
    if (group) group.push(change)
    else groups.set(key, [change])
  }
  if (groups) for (const [key, group] of groups) for (const watcher of map.get(key) ?? []) watcher.onEvents(group)
}
