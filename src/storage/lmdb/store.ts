/**
 * The embedded store: LMDB in one directory, owned by one process.
 *
 * The layout follows etcd's. `log` is keyed by (revision, index within the commit) and holds each write once: key, value or
 * "deleted", createRevision, version, and the position of the key's previous write. `index` is keyed by the key and holds the
 * position of its newest write. A read at an older revision starts there and follows the log back; a watch reads the log forward.
 * `meta` holds the format version and the progress of compaction. The current revision is that of the log's last write.
 *
 * A commit is decided at once, on the newest state: the writes that are decided but not durable yet (`#pending`), and below them
 * the index. It gets its revision and joins the batch that gathers while the previous batch is being written to the disk. A batch
 * is one LMDB transaction, all or nothing. Only after the fsync of the batch does `#revision` advance; then its watchers and,
 * last, its writers are notified. Reads never look beyond `#revision`. A refusal that depends on a pending write waits for that
 * write. If a batch fails, it has no effect: its commits, and all commits decided after it, are rejected, and the next commit is
 * decided on the durable state.
 */

import { BriefMap } from '../../util/brief.js'
import { type CompactionOptions, startAutoCompaction } from '../auto-compaction.js'
import {
  type CommitResult,
  CompactedError,
  FutureRevisionError,
  type KeyValue,
  type KeyVersion,
  type ListOptions,
  type ListResult,
  type ReadOptions,
  type Store,
  type StoredValues,
  type StoreImage,
  StoreUnavailableError,
  type VersionsOptions,
  type Watcher,
  type WatchHandle,
  type Write
} from '../contract.js'
import { assertWrites } from '../keys.js'
import { type History, type Past, watchFrom } from '../replay.js'
import { WatchHub } from '../watch-hub.js'
import { BatchWriter } from './batch-writer.js'
import type { IndexEntry } from './codec.js'
import { Commit } from './commit.js'
import { Compactor } from './compactor.js'
import { Database } from './database.js'
import { imageOf } from './image.js'
import { LogEvent } from './log-event.js'
import { LogReader } from './log-reader.js'

export interface LmdbOptions extends CompactionOptions {
  /** Created if it does not exist. */
  readonly directory: string
  /** The directory is deleted when the store is closed, and nothing waits for the disk. */
  readonly temporary?: boolean | undefined
  /** Bytes of the map at first; it grows with the data. */
  readonly mapSize?: number | undefined
}

/** Rejects with StoreUnavailableError when the directory is in use, foreign or unusable. */
export const openLmdbStore = async (options: LmdbOptions): Promise<Store> =>
  new LmdbStore(await Database.open(options.directory, options.temporary, options.mapSize), options)

class LmdbStore implements Store, History {
  readonly root = '/registry'
  readonly shared = false
  readonly #database: Database
  readonly #writer: BatchWriter<Commit>
  readonly #compactor: Compactor
  readonly #compaction: { stop(): void }
  readonly #reader: LogReader
  readonly values: StoredValues
  readonly #hub = new WatchHub()
  /** The newest durable revision. As with etcd, an empty store is at 1, so that 0 can mean "any" in a resourceVersion. */
  #revision: number
  /** The newest revision assigned to a commit. */
  #decided: number
  /** The newest decided write of each key, until it is durable. */
  readonly #pending = new BriefMap<string, { readonly entry: IndexEntry; readonly commit: Commit }>()
  #closed: Promise<void> | undefined

  constructor(database: Database, options: CompactionOptions) {
    this.#database = database
    this.#revision = this.#decided = database.lastRevision() ?? 1
    this.#reader = new LogReader({
      database,
      readable: revision => this.#readable(revision),
      eventOf: record => LogEvent.replayed(database, record)
    })
    this.values = this.#reader.values(() => this.#assertOpen())
    this.#writer = new BatchWriter<Commit>(
      database,
      commits => this.#durable(commits),
      () => this.#forgetPending()
    )
    this.#compactor = new Compactor(database, this.#writer)
    this.#compaction = startAutoCompaction(this, options)
  }

  get revision(): number {
    return this.#revision
  }

  get compactRevision(): number {
    return this.#compactor.revision
  }

  get seenRevision(): number {
    return this.#revision
  }

  currentRevision(): number {
    return this.#revision
  }

  async get(key: string, options: ReadOptions = {}): Promise<KeyValue | undefined> {
    return this.#reader.read(key, this.#readable(options.revision))
  }

  list(prefix: string, options?: ListOptions): Promise<ListResult> {
    return this.#reader.list(prefix, options)
  }

  versions(key: string, options: VersionsOptions): Promise<KeyVersion[]> {
    return this.#reader.versions(key, options)
  }

  async commit(writes: readonly Write[]): Promise<CommitResult> {
    assertWrites(writes)
    this.#writer.assertWritable()
    const before = writes.map(write => this.#pending.get(write.key)?.entry ?? this.#database.entry(write.key))
    const refused = writes.findIndex((write, place) => !isAllowed(write, before[place]))
    if (refused !== -1) return this.#refuse(writes[refused]!.key)
    if (writes.length === 0) return { ok: true, revision: this.#revision }
    const commit = new Commit(this.#database, ++this.#decided, writes, before)
    for (const { key, entry } of commit.changes) this.#pending.set(key, { entry, commit })
    this.#writer.commit(commit)
    return commit.durable
  }

  async #refuse(key: string): Promise<CommitResult> {
    await this.#pending.get(key)?.commit.durable
    return { ok: false, key, current: this.#reader.read(key, this.#readable()) }
  }

  #durable(commits: readonly Commit[]): void {
    this.#revision = commits.at(-1)!.revision
    for (const commit of commits) {
      for (const { key } of commit.changes) if (this.#pending.get(key)?.commit === commit) this.#pending.delete(key)
    }
    if (!this.#hub.idle)
      this.#hub.dispatch(
        commits.flatMap(commit => commit.events()),
        this.#revision
      )
    for (const commit of commits) commit.succeed()
  }

  #forgetPending(): void {
    this.#pending.clear()
    this.#decided = this.#revision
  }

  async watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    this.#assertOpen()
    this.#database.floors.assertWatchable(prefix, fromRevision)
    return watchFrom(this.#hub, this, prefix, fromRevision, watcher)
  }

  events(prefix: string, from: number): Past {
    this.#assertOpen()
    return this.#reader.events(prefix, from, this.#revision)
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen()
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision)
    await this.#compactor.compact(revision)
  }

  async forget(prefix: string, revision: number, chooses: (value: Buffer) => boolean): Promise<void> {
    this.#assertOpen()
    await this.#compactor.forget(prefix, Math.min(revision, this.#revision + 1), chooses)
  }

  image(): Promise<StoreImage> {
    this.#assertOpen()
    return imageOf(this.#database, this.#revision, openLmdbStore)
  }

  async health(): Promise<void> {
    await this.#writer.check()
  }

  size(): Promise<number> {
    return this.#database.size()
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    this.#compaction.stop()
    await this.#writer.close()
    this.#hub.close()
    await this.#database.close()
  }

  #readable(revision = this.#revision): number {
    this.#assertOpen()
    if (revision < this.compactRevision) throw new CompactedError(this.compactRevision)
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision)
    return revision
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new StoreUnavailableError('the store is closed')
  }
}

const isAllowed = ({ expected, value }: Write, before: IndexEntry | undefined): boolean => {
  const present = before === undefined || before.deleted ? 0 : before.revision
  return (expected === undefined || expected === present) && (value !== undefined || present !== 0)
}
