/**
 * The contract of the revisioned key-value store under everything. It is shaped after etcd v3 so that etcd can be one of its
 * engines.
 *
 * There is one global revision. Every commit that changes something gets the next revision. A write is durable before it is
 * acknowledged, and no reader or watcher sees it before it is durable. Older revisions stay readable and watchable until they are
 * compacted.
 */

/** One key at one revision. No holder may modify `value`. */
export interface KeyValue {
  readonly key: string
  readonly value: Buffer
  /** Revision of the commit that created the key (after its last deletion). */
  readonly createRevision: number
  /** Revision of the commit that wrote this value. */
  readonly modRevision: number
  /** Number of writes since creation: 1 for a created key. */
  readonly version: number
}

/** One write of a commit. `value: undefined` deletes. */
export interface Write {
  readonly key: string
  readonly value: Buffer | undefined
  /** Condition: the key's present modRevision, 0 for "does not exist", undefined for none. Deleting a missing key fails. */
  readonly expected?: number | undefined
  /** Passed unchanged to the watchers of this process if the engine can (see StoreEvent.attachment); never stored. */
  readonly attachment?: unknown
}

/**
 * The outcome of a commit. Either all of its writes happened, at one revision, or none did, because the condition of the write on
 * `key` did not hold. `current` is then the newest durable state of that key; undefined when it does not exist.
 */
export type CommitResult =
  | { readonly ok: true; readonly revision: number }
  | { readonly ok: false; readonly key: string; readonly current: KeyValue | undefined }

/** The request on whose behalf the store is called. */
export interface Caller {
  /** Aborts a call that is still under way. If a commit has been sent already, its outcome is then unknown. */
  readonly signal?: AbortSignal | undefined
}

export interface ReadOptions {
  readonly caller?: Caller | undefined
  /** The revision to read at; the newest durable one by default. */
  readonly revision?: number | undefined
}

export interface ListOptions extends ReadOptions {
  /** The most keys to return; all by default. */
  readonly limit?: number | undefined
  /** The first key to return (inclusive); the start of the prefix by default. */
  readonly start?: string | undefined
}

export interface ListResult {
  readonly items: KeyValue[]
  /** The revision that the answer shows. */
  readonly revision: number
  /** True when `limit` cut the answer short. */
  readonly more: boolean
  /** Number of keys of the prefix at that revision, from `start` on, regardless of the limit. */
  readonly count: number
}

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

export interface Watcher {
  /**
   * Delivers events in revision order, each exactly once; the events of one commit are never split over two calls. `revision` is
   * the newest revision that the batch covers. Must not throw and must not block.
   */
  onEvents(events: readonly StoreEvent[], revision: number): void
  /**
   * Called once, when every event up to `Store.seenRevision` has been delivered, and none beyond it. Later events are live
   * events, which all watchers of this process receive in the same turn. If the watch begins at that revision, the call comes at
   * once, even before `watch` has returned.
   */
  onCaughtUp?(): void
  /**
   * Called after each step of history: no more history is delivered while the returned promise is pending. The promise never
   * rejects. Live events do not wait for it.
   */
  pace?(): Promise<void> | undefined
  /** The watch ended by itself (it was compacted, or the engine was lost). No more calls follow. Must not throw. */
  onError(error: Error): void
}

export interface WatchHandle {
  close(): void
}

/** Thrown by reads and watches of a compacted revision. The message is etcd's. */
export class CompactedError extends Error {
  readonly compactRevision: number
  constructor(compactRevision: number) {
    super('etcdserver: mvcc: required revision has been compacted')
    this.name = 'CompactedError'
    this.compactRevision = compactRevision
  }
}

/** Thrown by reads of a revision that does not exist yet. The message is etcd's. */
export class FutureRevisionError extends Error {
  readonly currentRevision: number
  constructor(currentRevision: number) {
    super('etcdserver: mvcc: required revision is a future revision')
    this.name = 'FutureRevisionError'
    this.currentRevision = currentRevision
  }
}

/** The store is closed, locked by another process or foreign, or its disk failed. `message` tells the operator which. */
export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreUnavailableError'
  }
}

/** The newest revision could not be shown in time, because the store's events arrive too late. */
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

export interface Store {
  /** The prefix of the keys of all Kubernetes objects: `/registry`. */
  readonly root: string
  /** True when other processes may write to the store. */
  readonly shared: boolean
  /** The newest revision whose events have been delivered to the watchers of this process. It never decreases. */
  readonly seenRevision: number
  /**
   * Returns the newest durable revision, once its events have been delivered to the watchers of this process. A cache that
   * follows the store may then answer a consistent read. Embedded engines answer at once. A distributed engine has to ask, and to
   * wait for the events: it rejects with TrailingError when they do not arrive in time.
   */
  currentRevision(): number | Promise<number>
  get(key: string, options?: ReadOptions): Promise<KeyValue | undefined>
  /** Lists the keys that start with `prefix`, in byte order, all at one revision. */
  list(prefix: string, options?: ListOptions): Promise<ListResult>
  /**
   * Makes all of the writes or none. Resolves when the writes are durable and the watchers of this process have received them,
   * unless the events take too long to arrive. The keys of one commit are distinct. An embedded engine ignores the caller's
   * signal.
   */
  commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult>
  /**
   * Delivers the events of the keys that start with `prefix`, from `fromRevision` on (inclusive; 1 is the first possible
   * revision): first history, then live events, without a gap. Throws CompactedError when events since `fromRevision` have been
   * compacted.
   */
  watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle>
  /** Forgets values that were overwritten or deleted before `revision`. Reads below `revision` fail from then on. */
  compact(revision: number): Promise<void>
  /**
   * Resolves when the store is healthy; otherwise rejects with a message for the operator, a distributed engine within
   * `timeoutMs`.
   */
  health(timeoutMs?: number): Promise<void>
  /** Waits for pending writes, then releases files and sockets. Idempotent. */
  close(): Promise<void>
}
