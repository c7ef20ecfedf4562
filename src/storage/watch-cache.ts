/**
 * The watch cache of one resource: every object as its encoded bytes and a small header, in key order, together with the recent
 * events. All gets, lists and watches are served from it.
 *
 * The cache follows the store by a watch. An event arrives before the write that caused it is acknowledged, so with an embedded
 * store the cache is always current. With a distributed store it is current after `catchUp`.
 */

import { compareText } from '../util/go-format.js'
import { nextTurn, startSlice } from '../util/turns.js'
import { CacheCounts } from './cache-counts.js'
import { CacheHistory } from './cache-history.js'
import type { CacheImage } from './cache-image.js'
import { CacheWatchers, type Scope } from './cache-watchers.js'
import type { CachedObject, ObjectCodec } from './cached-object.js'
import { type ColdBytes, residentOf } from './cold-bytes.js'
import {
  CompactedError,
  type KeyValue,
  type Store,
  type StoreEvent,
  StoreUnavailableError,
  type WatchHandle
} from './contract.js'
import { type CacheEvent, type CacheWatcher, Change, maxEvents } from './event-window.js'
import { orderKey } from './keys.js'
import { ObjectReader, type UnreadableValue } from './object-reader.js'
import { inRange, newTree, sortByKey, type Tree } from './object-tree.js'
import { ValueIndex } from './value-index.js'

/** A reload that fails is tried again after this long. */
const reloadMs = 1000
/** A start has other things to do first. */
const readFieldsMs = 2000
/** How many values are read at once past the cache. */
const storedAtOnce = 500

export class WatchCache {
  readonly prefix: string
  readonly counts = new CacheCounts()
  readonly history: CacheHistory
  readonly #store: Store
  readonly #codec: ObjectCodec
  readonly #reader: ObjectReader
  /** Where bytes come from that are not in memory; undefined where the store's values cannot be read at once. */
  readonly #cold: ColdBytes | undefined
  readonly #now: () => number
  #tree = newTree()
  #fieldsTimer: NodeJS.Timeout | undefined
  readonly #watchers = new CacheWatchers()
  readonly #indexes = { labels: new ValueIndex('labels'), fields: new ValueIndex('fields') }
  /** Number of objects in each namespace; under "" for cluster-scoped resources. */
  #counts = new Map<string, number>()
  #handle: WatchHandle | undefined
  #loading: Promise<void> | undefined
  #ready = false
  #closed = false
  /** What the first load begins with. */
  #image: CacheImage | undefined
  #hasBeenReady = false
  /** Whether values that cannot be read are to be read again when the load that is under way has ended. */
  #retries = false

  /** `since`: the revision at which this version of the resource was first served. No client has seen an older one. */
  constructor(store: Store, prefix: string, codec: ObjectCodec, now: () => number, since = 0) {
    this.#store = store
    this.prefix = prefix
    this.#codec = codec
    this.#now = now
    const { values } = store
    if (values) {
      this.#cold = {
        resident: residentOf(values),
        fields: bytes => codec.fieldsIn(bytes),
        made: (value, revision, transient) => codec.splice(value, revision, transient),
        read: ({ key, revision }, transient) => codec.splice(values.read(prefix + key, revision), revision, transient)
      }
    }
    this.#reader = new ObjectReader(prefix, codec, this.counts, this.#cold)
    this.history = new CacheHistory(
      { store, prefix, since, reader: this.#reader, counts: this.counts, now },
      { tree: () => this.#tree, sizeOf: prefix => this.#sizeOf(prefix) }
    )
  }

  /** True once the cache shows the contents of the store. Until then callers wait for `load`. */
  get ready(): boolean {
    return this.#ready
  }

  /** Whether the cache shows what the store contained at some time, if not now. */
  get hasBeenReady(): boolean {
    return this.#hasBeenReady
  }

  load(): Promise<void> {
    if (this.#closed) return Promise.reject(new StoreUnavailableError('the resource is no longer served in this form'))
    return (this.#loading ??= this.#load().catch(error => {
      this.#loading = undefined
      throw error
    }))
  }

  /** Makes the first load take an image of the same resource, from a server whose store this one's store began with. */
  beginWith(image: CacheImage): void {
    this.#image = image
  }

  /** Takes an image; undefined while the cache is not ready. */
  image(): CacheImage | undefined {
    if (!this.#ready) return undefined
    return {
      revision: this.revision,
      tree: this.#tree.clone(),
      counts: new Map(this.#counts),
      bytes: this.counts.bytes,
      unreadable: new Map(this.#reader.unreadable)
    }
  }

  async #load(): Promise<void> {
    const image = this.#image
    this.#image = undefined
    const began = this.#now()
    try {
      await (image ? this.#take(image) : this.#read())
    } catch (error) {
      this.counts.failedInitializations++
      throw error
    }
    this.counts.initialization.observe((this.#now() - began) / 1000)
  }

  async #take({ revision, tree, counts, bytes, unreadable }: CacheImage): Promise<void> {
    this.counts.initializations++
    this.#tree = this.#cold ? ownTree(tree, this.#cold) : tree.clone()
    this.#counts = new Map(counts)
    this.counts.bytes = bytes
    this.#reader.unreadable = new Map(unreadable)
    this.history.reset(revision)
    try {
      await this.#follow(revision)
    } catch (error) {
      // the history since the image is gone
      if (!(error instanceof CompactedError)) throw error
      await this.#read()
    }
  }

  async #read(): Promise<void> {
    const before = this.#tree
    this.counts.initializations++
    const began = this.#now()
    const { tree, streamed, revision } = await this.#present()
    this.counts.countStored(tree.size + this.#reader.unreadable.size, (this.#now() - began) / 1000, streamed)
    this.#tree = tree
    for (const index of Object.values(this.#indexes)) index.clear()
    this.#counts = new Map()
    this.counts.bytes = 0
    for (const object of tree.values()) this.#count(object, 1)
    this.history.reset(revision)
    this.#watchers.deliver(this.#differences(before, revision))
    this.#release(before)
    await this.#follow(revision)
  }

  /** Gives back what a tree that is no longer the present takes of the memory that all caches share. */
  #release(tree: Tree): void {
    const { resident } = this.#cold ?? {}
    if (resident) for (const object of tree.values()) resident.remove(object)
  }

  /**
   * Reads the store at a revision that this process has seen: with a newer one, `revision` would be older than the objects shown.
   */
  async #present(): Promise<{ tree: Tree; streamed: boolean; revision: number }> {
    for (;;) {
      const revision = this.#store.seenRevision
      try {
        return { ...(await this.#treeOf(revision)), revision }
      } catch (error) {
        if (!(error instanceof CompactedError)) throw error
        await this.#store.currentRevision()
      }
    }
  }

  async #treeOf(revision: number): Promise<{ tree: Tree; streamed: boolean }> {
    const tree = newTree()
    this.#reader.unreadable.clear()
    const add = (item: KeyValue) => {
      const object = this.#reader.shown(item, undefined, true)
      if (object) tree.set(orderKey(object.key), object)
    }
    const { values } = this.#store
    // a codec that does not read headers may keep the values
    if (values && this.#codec.header) {
      await values.scan(this.prefix, revision, add)
      return { tree, streamed: false }
    }
    const { items, streamed = false } = await this.#store.list(this.prefix, { revision })
    let sliceIsOver = startSlice()
    for (const item of items) {
      add(item)
      if (!sliceIsOver()) continue
      await nextTurn()
      sliceIsOver = startSlice()
    }
    return { tree, streamed }
  }

  /**
   * Follows the store from a revision on. Resolves when the cache shows every event that this process has seen. It is ready only
   * then, because writes since the revision arrive as history after the watch has begun.
   */
  #follow(revision: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const watching = this.#store.watch(this.prefix, revision + 1, {
        onEvents: events => this.#apply(events),
        onCaughtUp: () => {
          this.#ready = !this.#closed
          this.#hasBeenReady = true
          resolve()
          if (this.#ready && this.#cold && this.#codec.hasFields)
            this.#fieldsTimer = setTimeout(() => this.#readFields().catch(() => {}), readFieldsMs).unref()
          if (this.#retries) setImmediate(() => this.retryUnreadable())
          this.#retries = false
        },
        onError: error => (this.#ready ? this.#lost(error) : reject(error))
      })
      watching.then(handle => {
        if (this.#closed) handle.close()
        else this.#handle = handle
      }, reject)
    })
  }

  /**
   * Reads the selectable fields of all objects, in turns with other work, so that the first client that selects by them need not wait.
   * Rejects when a value cannot be read; whoever asks for it gets the error.
   */
  async #readFields(): Promise<void> {
    let sliceIsOver = startSlice()
    for (const object of this.#tree.clone().values()) {
      if (sliceIsOver()) {
        await nextTurn()
        sliceIsOver = startSlice()
      }
      // nobody asks for the fields of an object that has been replaced
      if (!this.#ready) return
      object.fields
    }
  }

  /** Computes the events that the cache missed while it was cut off from the store, for watchers of this process that stay. */
  #differences(before: Tree, revision: number): CacheEvent[] {
    const changes: CacheEvent[] = []
    if (before.isEmpty && !this.#watchers.any) return changes
    const at = this.#now()
    for (const current of this.#tree.values()) {
      const previous = before.get(current.key)
      if (previous?.revision === current.revision) continue
      previous?.keep()
      changes.push(new Change(current.revision, current, previous, at, this.#reader.asDeleted))
    }
    for (const previous of before.values()) {
      if (this.#tree.has(orderKey(previous.key))) continue
      previous.keep()
      changes.push(new Change(revision, undefined, previous, at, this.#reader.asDeleted))
    }
    return changes.sort((a, b) => a.revision - b.revision)
  }

  #count({ namespace, length }: CachedObject, change: 1 | -1): void {
    this.counts.bytes += change * length
    const count = (this.#counts.get(namespace) ?? 0) + change
    if (count === 0) this.#counts.delete(namespace)
    else this.#counts.set(namespace, count)
  }

  /** Why the object under a key is not shown, although the store has a value for it. */
  whyUnreadable(key: string): Error | undefined {
    return this.unreadable(key)?.error
  }

  /** The stored values that cannot be read, and of which the cache has no object, by key. */
  get unreadableValues(): ReadonlyMap<string, UnreadableValue> {
    return this.#reader.unreadable
  }

  /** The stored value under a key, if it cannot be read. */
  unreadable(key: string): UnreadableValue | undefined {
    return this.#reader.unreadable.get(key)
  }

  /**
   * Reads everything again if there were values that could not be read, because they may be readable now. Clients have to start their
   * watches again.
   */
  retryUnreadable(): void {
    // a load that is under way may have read them already
    if (!this.#ready) this.#retries = this.#loading !== undefined
    if (!this.#ready || this.#reader.unreadable.size === 0) return
    this.#handle?.close()
    this.#lost(new StoreUnavailableError('values that could not be read are read again'))
  }

  #apply(events: readonly StoreEvent[]): void {
    const at = this.#now()
    const changes: CacheEvent[] = []
    for (const event of events) {
      const key = event.key.slice(this.prefix.length)
      const previous = this.#tree.get(orderKey(key))
      previous?.keep(this.#store.values?.last ? event.previous?.value : undefined)
      const current = event.current && this.#reader.shown(event.current, event.attachment)
      if (!event.current) this.#reader.unreadable.delete(key)
      if (current) this.#tree.set(orderKey(key), current)
      else if (previous) this.#tree.delete(orderKey(key))
      else continue
      this.#indexes.labels.replace(previous, current)
      this.#indexes.fields.replace(previous, current)
      if (!previous) this.#count(current!, 1)
      else if (!current) this.#count(previous, -1)
      else this.counts.bytes += current.length - previous.length
      if (previous) this.#codec.replaced?.(previous)
      changes.push(new Change(event.revision, current, previous, at, this.#reader.asDeleted))
    }
    this.counts.received += events.length
    this.counts.dispatched += changes.length
    this.history.add(changes, at)
    this.#watchers.deliver(changes)
  }

  /** Handles the end of the store's watch: clients have to start their watches again, and the cache reads everything again. */
  #lost(error: Error): void {
    this.#ready = false
    this.#loading = undefined
    this.#handle = undefined
    clearTimeout(this.#fieldsTimer)
    if (!this.#closed) void this.#reload()
    this.#watchers.fail(error)
  }

  async #reload(): Promise<void> {
    while (!this.#closed && !this.#ready) {
      await this.load().catch(() => new Promise(resolve => setTimeout(resolve, reloadMs).unref()))
    }
  }

  /** The number of events that the cache keeps at most. */
  get capacity(): number {
    return maxEvents
  }

  get(key: string): CachedObject | undefined {
    return this.#tree.get(orderKey(key))
  }

  /** Reads an object from the store, past the cache. */
  async readStored(key: string): Promise<CachedObject | undefined> {
    const item = await this.#store.get(this.prefix + key, { marked: true })
    return item && !this.whyUnreadable(key) ? this.#reader.once(item) : undefined
  }

  /** Reads the objects of the store at a revision from `start` to `end`, which is included, past the cache. By default all that there are now. */
  async listStored(prefix: string, start: string, end?: string, revision?: number): Promise<Map<string, CachedObject>> {
    const found = new Map<string, CachedObject>()
    for (let from: string | undefined = start; from !== undefined; ) {
      const options = { start: this.prefix + from, limit: storedAtOnce, revision, marked: true }
      const { items, more } = await this.#store.list(this.prefix + prefix, options)
      from = undefined
      for (const item of items) {
        const key = this.#reader.keyOf(item)
        if (end !== undefined && compareText(key, end) > 0) return found
        if (!this.whyUnreadable(key)) found.set(key, this.#reader.once(item))
        // the least key behind it
        if (more) from = `${key}\0`
      }
    }
    return found
  }

  get size(): number {
    return this.#tree.size
  }

  /** Bytes of an object, on average. */
  get averageBytes(): number {
    return this.size === 0 ? 0 : this.counts.bytes / this.size
  }

  /** The newest revision that the cache shows. */
  get revision(): number {
    return this.#store.seenRevision
  }

  /**
   * Resolves when all caches of this process show every write that any server acknowledged before the call. Returns undefined
   * when they already do, which is always so with an embedded store.
   */
  catchUp(): Promise<number> | undefined {
    const revision = this.#store.currentRevision()
    return typeof revision === 'number' ? undefined : revision
  }

  /**
   * Yields the objects whose key starts with `prefix`, in key order from `start` on, at the present or at a revision in the
   * window. Throws CompactedError when the window no longer reaches the revision.
   */
  range(prefix: string, start = prefix, revision?: number): Generator<CachedObject> {
    return inRange(revision === undefined ? this.#tree : this.history.treeAt(revision), prefix, start)
  }

  /** Returns the present objects with a given value of a label or selectable field, in key order. */
  by(of: 'labels' | 'fields', name: string, value: string, prefix: string): CachedObject[] {
    const found = this.#indexes[of].find(name, value, () => this.#tree.values())
    return found ? inOrder([...found.values()], prefix) : []
  }

  /** Returns the present objects with one of the values that `has` accepts, in key order. Asks once for each value that there is. */
  byText(of: 'labels' | 'fields', name: string, has: (value: string) => boolean, prefix: string): CachedObject[] {
    const objects: CachedObject[] = []
    for (const [value, found] of this.#indexes[of].valuesOf(name, () => this.#tree.values()))
      if (has(value)) for (const object of found.values()) objects.push(object)
    return inOrder(objects, prefix)
  }

  /** Counts the present objects with a given value of a label or selectable field. */
  countBy(of: 'labels' | 'fields', name: string, value: string): number {
    return this.#indexes[of].find(name, value, () => this.#tree.values())?.size ?? 0
  }

  /** Returns the same objects as `range`, which later changes do not touch: for those who let others take turns meanwhile. */
  stableRange(prefix: string, revision?: number): Iterable<CachedObject> {
    const tree = (revision === undefined ? this.#tree : this.history.treeAt(revision)).clone()
    return inRange(tree, prefix, prefix)
  }

  /** The number of present objects whose key starts with `prefix`: all, or those of a namespace. */
  #sizeOf(prefix: string): number {
    return prefix === '' ? this.#tree.size : (this.#counts.get(prefix.slice(0, -1)) ?? 0)
  }

  /** Delivers every later event that may concern the scope: everything, one namespace, one object, or one value of a field. */
  watch(scope: Scope, watcher: CacheWatcher): WatchHandle {
    return this.#watchers.add(scope, watcher)
  }

  /** Stops the cache. Its watchers get an error, and clients have to start again elsewhere. */
  close(): void {
    this.#closed = true
    this.#handle?.close()
    this.#release(this.#tree)
    this.#lost(new StoreUnavailableError('the resource is no longer served in this form'))
  }
}

/** An image's objects read what they have not in memory from the store of another server. */
const ownTree = (image: Tree, cold: ColdBytes): Tree => image.mapValues(object => object.of(cold))

function inOrder(objects: CachedObject[], prefix: string): CachedObject[] {
  const inPrefix = prefix === '' ? objects : objects.filter(({ key }) => key.startsWith(prefix))
  return sortByKey(inPrefix)
}
