/**
 * The revisioned key-value contract of every store, shaped by etcd v3 so that etcd can be one of the engines.
 *
 * There is one global revision. Every commit that changes something gets the next one. A write is durable before it is
 * acknowledged, and neither a reader nor a watcher sees it before it is durable. Older revisions stay readable and
 * watchable until they are compacted.
 */
import type { Clock } from '../util/clock.js'

/**
 * One key at one revision. No one modifies `value`.
 *
 * @example
 * const found: KeyValue | undefined = await store.get('/registry/configmaps/default/settings')
 * if (found) console.log(found.modRevision, found.value.length)
 */
export interface KeyValue {
  readonly key: string
  readonly value: Buffer
  /** Revision of the commit that created the key (after its last deletion). */
  readonly createRevision: number
  /** Revision of the commit that wrote this value. */
  readonly modRevision: number
  /** Number of writes since creation: 1 for a created key. */
  readonly version: number
  /** Set by a store that converts values: what lies below would be stored differently now. */
  readonly stale?: boolean
  /** Set by a store that converts values: why it could not convert this one. `value` is then as it lies below. */
  readonly unreadable?: string
  /** Why a webhook could not convert the value, which is then as it lies below. Only for who reads with `marked`. */
  readonly unconverted?: string
}

/**
 * One write of a commit. `value: undefined` deletes the key.
 *
 * @example
 * const create: Write = { key: '/registry/a', value: Buffer.from('{}'), expected: 0 }
 */
export interface Write {
  readonly key: string
  readonly value: Buffer | undefined
  /** Condition: the key's present modRevision, 0 for "does not exist", undefined for none. Deleting a missing key fails. */
  readonly expected?: number | undefined
  /** Seconds after which a store that `expires` keys deletes this one, unless it is written again; undefined for never. */
  readonly ttl?: number | undefined
  /** Passed unchanged to the watchers of this process if the engine can (see StoreEvent.attachment); never stored. */
  readonly attachment?: unknown
}

/**
 * The outcome of a commit. Either all of its writes happened, at one revision, or none did, because the condition of the
 * write on `key` did not hold; `current` is then that key's newest durable state (undefined: it does not exist).
 *
 * @example
 * const result: CommitResult = await store.commit([create])
 * if (!result.ok) console.log(`${result.key} exists since revision ${result.current?.createRevision}`)
 */
export type CommitResult =
  | { readonly ok: true; readonly revision: number }
  | { readonly ok: false; readonly key: string; readonly current: KeyValue | undefined }

/**
 * The caller of a store: whom a read or a commit is for.
 *
 * @example
 * const caller: Caller = { signal: AbortSignal.timeout(1000) }
 * await store.get('/registry/a', { caller })
 */
export interface Caller {
  /** Ends a call that is still under way. It is then unknown whether a commit that has been sent takes effect. */
  readonly signal?: AbortSignal | undefined
  /** Whose request it is; undefined for the server itself. */
  readonly user?: { readonly name: string } | undefined
}

/**
 * Options of `Store.get`.
 *
 * @example
 * const then: ReadOptions = { revision: 42 }
 */
export interface ReadOptions {
  readonly caller?: Caller | undefined
  /** The revision to read at; the newest durable one by default. */
  readonly revision?: number | undefined
  /** Whether values that a webhook cannot convert are returned with `unconverted`. Else the read throws for them. */
  readonly marked?: boolean | undefined
}

/**
 * Options of `Store.list`.
 *
 * @example
 * const page: ListOptions = { limit: 500, start: '/registry/pods/default/web' }
 */
export interface ListOptions extends ReadOptions {
  /** The most keys to return; all by default. */
  readonly limit?: number | undefined
  /** The first key to return (inclusive); the start of the prefix by default. */
  readonly start?: string | undefined
}

/**
 * The keys that `Store.list` found.
 *
 * @example
 * const { items, revision, more }: ListResult = await store.list('/registry/pods/', { limit: 500 })
 */
export interface ListResult {
  readonly items: KeyValue[]
  /** The revision at which the keys were read. */
  readonly revision: number
  /** True when `limit` cut the answer short. */
  readonly more: boolean
  /** Number of keys of the prefix at that revision, from `start` on, regardless of the limit. */
  readonly count: number
  /** The store is another process, which sent the keys as one stream. */
  readonly streamed?: true | undefined
}

/**
 * A change of one key, as watchers are told of it.
 *
 * @example
 * const text = ({ type, key, revision }: StoreEvent) => `${revision}: ${type} ${key}`
 */
export interface StoreEvent {
  readonly type: 'put' | 'delete'
  readonly key: string
  /** The new state; undefined for a delete. */
  readonly current: KeyValue | undefined
  /** The state before, unless it has been compacted. Undefined for a creation. */
  readonly previous: KeyValue | undefined
  readonly revision: number
  /** The write's attachment, if this process made the write. */
  readonly attachment: unknown
}

/**
 * Receives the events of a watch.
 *
 * @example
 * const watcher: Watcher = {
 *   onEvents: events => events.forEach(({ type, key }) => console.log(type, key)),
 *   onError: error => console.error(error.message)
 * }
 */
export interface Watcher {
  /**
   * Delivers events in revision order, each exactly once; the events of one commit are never split over two calls. `revision` is
   * the newest revision that the batch covers. Must not throw and must not block.
   */
  onEvents(events: readonly StoreEvent[], revision: number): void
  /**
   * Called once, when exactly the events up to `Store.seenRevision` have been delivered. Later events reach every watcher of this
   * process in the same turn. A watch that begins at the present calls it at once, even before `watch` has returned.
   */
  onCaughtUp?(): void
  /**
   * Called after each step of history: while the promise that it returns is pending, no more history comes. The promise never
   * rejects. Events of the present do not wait for it.
   */
  pace?(): Promise<void> | undefined
  /** The watch ended by itself: its history was compacted, or the engine was lost. Nothing follows. Must not throw. */
  onError(error: Error): void
}

/**
 * A watch that has begun.
 *
 * @example
 * const handle: WatchHandle = await store.watch('/registry/', 1, watcher)
 * handle.close()
 */
export interface WatchHandle {
  /** Ends the watch: the watcher is not called any more. */
  close(): void
}

/**
 * Thrown by reads and watches of a revision that is no longer kept. Its message is etcd's.
 *
 * @example
 * if (revision < compacted) throw new CompactedError(compacted)
 */
export class CompactedError extends Error {
  readonly compactRevision: number
  constructor(compactRevision: number) {
    super('etcdserver: mvcc: required revision has been compacted')
    this.name = 'CompactedError'
    this.compactRevision = compactRevision
  }
}

/**
 * Thrown by reads of a revision that does not exist yet. Its message is etcd's.
 *
 * @example
 * if (revision > current) throw new FutureRevisionError(current)
 */
export class FutureRevisionError extends Error {
  readonly currentRevision: number
  constructor(currentRevision: number) {
    super('etcdserver: mvcc: required revision is a future revision')
    this.name = 'FutureRevisionError'
    this.currentRevision = currentRevision
  }
}

/**
 * The store is closed, locked by another process, not a store of Binnacle, or its disk failed: `message` says which, for
 * people.
 *
 * @example
 * throw new StoreUnavailableError('the database does not answer')
 */
export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreUnavailableError'
  }
}

/**
 * Thrown by `currentRevision` of a distributed store whose events do not arrive in time.
 *
 * @example
 * if (tooLate) throw new TrailingError(revision, store.seenRevision)
 */
export class TrailingError extends Error {
  readonly revision: number
  readonly seenRevision: number
  constructor(revision: number, seenRevision: number) {
    super(`revision ${revision} has not arrived yet, only ${seenRevision}`)
    this.name = 'TrailingError'
    this.revision = revision
    this.seenRevision = seenRevision
  }
}

/**
 * The content of a store at one moment: its present, its history and its revision. Any number of stores can begin from it, and
 * change apart from each other.
 *
 * @example
 * const image: StoreImage | undefined = await store.image?.()
 * const copy = await image?.open()
 */
export interface StoreImage {
  readonly revision: number
  open(options?: OpenImage): Promise<Store>
  /** Frees what the image holds on a disk. Stores that began from it stay. Idempotent. */
  dispose(): Promise<void>
}

/**
 * Options of `StoreImage.open`.
 *
 * @example
 * const options: OpenImage = { directory: '/var/lib/binnacle/store' }
 */
export interface OpenImage {
  /** The time that the store goes by; the system's when left out. */
  readonly clock?: Clock | undefined
  /** Milliseconds between two compactions, 0 for never; 5 minutes when left out. */
  readonly compactionInterval?: number | undefined
  /**
   * Where an engine with files keeps the new store, in place of what is there. When left out, in a temporary folder that goes with the
   * store.
   */
  readonly directory?: string | undefined
}

/**
 * The values of a store that can be read at once, without a promise: caches then need not hold them in memory.
 *
 * @example
 * const { values } = store
 * const value = values?.read('/registry/configmaps/default/settings', 42)
 */
export interface StoredValues {
  /**
   * Hands the keys that start with `prefix`, as they were at a revision that is seen, to `take`, one by one in byte order: a value is valid
   * until `take` returns. Gives turns to other work. Rejects with CompactedError when the revision is compacted meanwhile.
   */
  scan(prefix: string, revision: number, take: (item: KeyValue) => void): Promise<void>
  /**
   * Returns the value that the write of a revision gave a key; it is valid until the next read. Throws StoreUnavailableError when there is none: the value has been
   * overwritten and compacted, or the store is closed.
   */
  read(key: string, revision: number): Buffer
  /** Whether values stay valid that a read or an event has handed out, as those of a store in memory do; false. */
  readonly last?: boolean | undefined
  /** How many bytes of values caches keep for their next readers, all of them together; 64 MiB. A store that has all values in memory needs few. */
  readonly cachedBytes?: number | undefined
}

/**
 * A state that a key has had.
 *
 * @example
 * const text = ({ revision, state }: KeyVersion) => `${revision}: ${state ? state.value : 'deleted'}`
 */
export interface KeyVersion {
  /** The revision from which on the key had it. */
  readonly revision: number
  /** Undefined from a deletion on. */
  readonly state: KeyValue | undefined
}

/**
 * Which states of a key `Store.versions` returns.
 *
 * @example
 * const newest: VersionsOptions = { from: 1, limit: 10 }
 */
export interface VersionsOptions {
  /** The oldest revision: the state that the key had at it is the last one. */
  readonly from: number
  /** Only states that are older than this revision; all by default. */
  readonly before?: number | undefined
  readonly limit: number
}

/**
 * A store of all objects of a server. Write one from scratch for a database of your own, or wrap another, such as
 * `openMemoryStore`'s. A store that only wraps hands on arguments and results as they are: `attachment` of a Write and
 * `caller`, too.
 *
 * @example
 * const inner = openMemoryStore()
 * const store: Store = {
 *   root: inner.root,
 *   shared: inner.shared,
 *   get seenRevision() {
 *     return inner.seenRevision
 *   },
 *   async commit(writes, caller) {
 *     await auditLog.append(writes)
 *     return inner.commit(writes, caller)
 *   },
 *   currentRevision: () => inner.currentRevision(),
 *   get: (key, options) => inner.get(key, options),
 *   list: (prefix, options) => inner.list(prefix, options),
 *   watch: (prefix, from, watcher) => inner.watch(prefix, from, watcher),
 *   compact: revision => inner.compact(revision),
 *   health: timeout => inner.health(timeout),
 *   close: () => inner.close()
 * }
 * const server = createServer({ store })
 */
export interface Store {
  /** The prefix of the keys of all Kubernetes objects: `/registry`. */
  readonly root: string
  /** Whether other processes may write to it, too. */
  readonly shared: boolean
  /** Whether the store itself deletes keys after the `ttl` of their last write. Without this, controllers delete what expires. */
  readonly expires?: boolean
  /** Whether a commit has one write at most: one with more throws RangeError. Then nothing is written together with an object. */
  readonly singleWrites?: boolean
  /** The newest revision whose events have been delivered to the watchers of this process. It never decreases. */
  readonly seenRevision: number
  /**
   * The newest durable revision. When it is returned, the watchers of this process have its events, so a cache that follows the store
   * can answer a consistent read. Embedded engines return at once. A distributed one asks the others and waits for the events. It
   * rejects with TrailingError when they do not come.
   */
  currentRevision(): number | Promise<number>
  /** The key's state; undefined when it does not exist. */
  get(key: string, options?: ReadOptions): Promise<KeyValue | undefined>
  /** Lists the keys that start with `prefix`, in byte order, all at one revision. */
  list(prefix: string, options?: ListOptions): Promise<ListResult>
  /**
   * Writes all or nothing. Resolves when the writes are durable and the watchers of this process have their events. It does not wait
   * for events that are long in coming. The keys of one commit are distinct. An embedded engine goes on with a commit whose caller
   * has gone.
   */
  commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult>
  /**
   * Events of the keys that start with `prefix`, from `fromRevision` on (inclusive; 1 is the first there can be). Throws
   * CompactedError when events of that time are gone. History is delivered first, then the present, without a gap.
   */
  watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle>
  /**
   * Whether the present value of a key would be stored differently now: `KeyValue.stale`, which may have changed since the value was
   * read. Missing for a store that converts nothing.
   */
  isStale?(key: string): boolean | Promise<boolean>
  /** The revision below which history is known to be forgotten. Missing for a store that does not know. */
  readonly compactRevision?: number | undefined
  /** Forgets values that were overwritten or deleted before `revision`; reads below it fail from then on. */
  compact(revision: number): Promise<void>
  /**
   * Forgets the values of keys below `prefix` that were overwritten or deleted before `revision` and that `chooses` picks. Reads and watches
   * of these keys fail with CompactedError from then on, as far back as one of the values is missing. Missing for a store in which only
   * `compact` forgets.
   */
  forget?(prefix: string, revision: number, chooses: (value: Buffer) => boolean): Promise<void>
  /**
   * Resolves when healthy; rejects with a message for people otherwise, a distributed engine after `timeoutMs` at the latest.
   */
  health(timeoutMs?: number): Promise<void>
  /**
   * The states of a key, the newest first. Rejects with CompactedError when `from` is compacted. Missing for a store that would have to read
   * the events of all keys for it.
   */
  versions?(key: string, options: VersionsOptions): Promise<readonly KeyVersion[]>
  /** Missing for a store that has to wait for its values. */
  readonly values?: StoredValues
  /** Takes an image of everything that is durable. Missing for a store that cannot be copied. */
  image?(): Promise<StoreImage>
  /** The bytes that it has on its disk. Missing for a store without one. */
  size?(): Promise<number>
  /** Waits for pending writes, then releases files and sockets. Idempotent. */
  close(): Promise<void>
}

/** A store that keeps its values in another form in the store below, and whose writes may be committed there together with others. */
export interface Converting {
  readonly below: Store
  /** Returns the writes as they are committed to the store below. */
  converted(writes: readonly Write[]): Promise<Write[]>
  /** Returns what a read would show of a value once it is written, which is not done. */
  rehearsed(value: Buffer): Promise<Buffer>
}

export const isConverting = (store: Store): store is Store & Converting => 'below' in store && 'converted' in store
