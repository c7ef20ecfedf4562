/**
 * The revisioned key-value contract under everything, shaped by etcd v3 so that etcd can be one of its engines.
 *
 * There is one global revision. Every commit that changes something gets the next one. A write is durable before it is
 * acknowledged, and nobody sees it, neither reader nor watcher, before it is durable. Older revisions stay readable and
 * watchable until they are compacted.
 */

/** One key at one revision. `value` is never modified by anyone who holds it. */
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
  /** Condition: the key's present modRevision; 0 for "does not exist"; undefined for none. Deleting what is not there fails. */
  readonly expected?: number | undefined
  /** Handed unchanged to the watchers of this process where the engine can (see StoreEvent.attachment); never stored. */
  readonly attachment?: unknown
}

/**
 * What became of a commit. Either all of its writes happened, at one revision, or none did, because the condition of the
 * write on `key` did not hold; `current` is then that key's newest durable state (undefined: it does not exist).
 */
export type CommitResult =
  | { readonly ok: true; readonly revision: number }
  | { readonly ok: false; readonly key: string; readonly current: KeyValue | undefined }

/** Whom a call to the store is for. */
export interface Caller {
  /** Ends a call that is still under way. Whether a commit that has been sent comes about is then not known. */
  readonly signal?: AbortSignal | undefined
}

export interface ReadOptions {
  readonly caller?: Caller | undefined
  /** Read as of this revision; the newest durable one when left out. */
  readonly revision?: number | undefined
}

export interface ListOptions extends ReadOptions {
  /** At most so many keys; all when left out. */
  readonly limit?: number | undefined
  /** Start at this key (inclusive); the start of the prefix when left out. */
  readonly start?: string | undefined
}

export interface ListResult {
  readonly items: KeyValue[]
  /** The revision the answer shows. */
  readonly revision: number
  /** True when `limit` cut the answer short. */
  readonly more: boolean
  /** Keys of the prefix at that revision from `start` on, whatever the limit. */
  readonly count: number
}

export interface StoreEvent {
  readonly type: 'put' | 'delete'
  readonly key: string
  /** The new state; undefined for a delete. */
  readonly current: KeyValue | undefined
  /** The state before, where it is still known (not compacted). Undefined for a creation. */
  readonly previous: KeyValue | undefined
  readonly revision: number
  /** The write's attachment, when it happened in this process. */
  readonly attachment: unknown
}

export interface Watcher {
  /**
   * Events in revision order, each exactly once; the events of one commit are never split over two calls. `revision` is
   * the newest one that the batch covers. Must not throw and must not block.
   */
  onEvents(events: readonly StoreEvent[], revision: number): void
  /**
   * Called once, when everything up to `Store.seenRevision` has been delivered, and nothing beyond it: what follows is the
   * present, which every watcher of this process is given in the same turn. At once when the watch begins there, even before
   * it has been returned.
   */
  onCaughtUp?(): void
  /**
   * Asked after each step of history: while what it returns is pending, no more of it comes. It never rejects. What happens in
   * the present waits for nobody.
   */
  pace?(): Promise<void> | undefined
  /** The watch ended by itself (compacted under it, engine lost). Nothing follows. */
  onError(error: Error): void
}

export interface WatchHandle {
  close(): void
}

/** Thrown by reads and watches of a revision that is no longer kept. Message as etcd's. */
export class CompactedError extends Error {
  readonly compactRevision: number
  constructor(compactRevision: number) {
    super('etcdserver: mvcc: required revision has been compacted')
    this.name = 'CompactedError'
    this.compactRevision = compactRevision
  }
}

/** Thrown by reads of a revision that does not exist yet. Message as etcd's. */
export class FutureRevisionError extends Error {
  readonly currentRevision: number
  constructor(currentRevision: number) {
    super('etcdserver: mvcc: required revision is a future revision')
    this.name = 'FutureRevisionError'
    this.currentRevision = currentRevision
  }
}

/** The store is closed, locked by another process, foreign, or its disk failed: `message` says which, for people. */
export class StoreUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreUnavailableError'
  }
}

/** What is newest could not be shown in time: the store's events do not arrive as fast as they should. */
export class TrailingError extends Error {
  readonly revision: number
  readonly seenRevision: number
  constructor(revision: number, seenRevision: number) {
    super(`revision ${revision} is not here yet, only ${seenRevision}`)
    this.name = 'TrailingError'
    this.revision = revision
    this.seenRevision = seenRevision
  }
}

export interface Store {
  /** The folder in which all keys of Kubernetes objects lie: `/registry`. */
  readonly root: string
  /** Other processes may write to it, too. */
  readonly shared: boolean
  /** The newest revision whose events the watchers of this process have been given. It never falls. */
  readonly seenRevision: number
  /**
   * The newest durable revision; the watchers of this process have been given its events. So a cache that follows the store
   * may then answer a consistent read. Embedded engines answer at once; a distributed one has to ask, and to wait until the
   * events are here: it rejects with TrailingError when they do not come.
   */
  currentRevision(): number | Promise<number>
  get(key: string, options?: ReadOptions): Promise<KeyValue | undefined>
  /** The keys that start with `prefix`, in byte order, all at one revision. */
  list(prefix: string, options?: ListOptions): Promise<ListResult>
  /**
   * All or nothing. Resolves when durable and, unless its events are long in coming, when the watchers of this process know
   * what the answer says. The keys of one commit are distinct. An embedded engine ends no commit for its caller.
   */
  commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult>
  /**
   * Events of the keys that start with `prefix`, from `fromRevision` on (inclusive; 1 is the first there can be). Throws
   * CompactedError when events of that time are gone. History is delivered first, then what happens, without a gap.
   */
  watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle>
  /** Forget what was overwritten or deleted before `revision`, and that reads below it are possible. */
  compact(revision: number): Promise<void>
  /** Resolves when healthy; rejects with a message for people otherwise, a distributed engine after `timeoutMs` at the latest. */
  health(timeoutMs?: number): Promise<void>
  /** Waits for writes under way, then releases files and sockets. Idempotent. */
  close(): Promise<void>
}
