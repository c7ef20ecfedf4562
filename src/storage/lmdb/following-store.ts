/**
 * The embedded store in a process beside the one that writes. It reads the same file. A look into the shared map shows whether something
 * has been committed; then it follows the log. So `currentRevision` returns at once, as in the process that writes, and never misses
 * what was acknowledged before the call. Commits go to the process that writes. Only that process decides and assigns revisions.
 */

import type { Duplex } from 'node:stream'
import { BriefMap } from '../../util/brief.js'
import {
  type Caller,
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
  StoreUnavailableError,
  type VersionsOptions,
  type Watcher,
  type WatchHandle,
  type Write
} from '../contract.js'
import { assertWrites } from '../keys.js'
import { type History, type Past, watchFrom } from '../replay.js'
import { WatchHub } from '../watch-hub.js'
import { WorkerEnd } from '../workers/worker-end.js'
import type { LogRecord } from './codec.js'
import { Database } from './database.js'
import { LogEvent } from './log-event.js'
import { LogReader } from './log-reader.js'

export interface FollowingOptions {
  readonly directory: string
  /** To the process that writes. */
  readonly pipe: Duplex
  /** The process that writes has ended, or cannot be followed any more. */
  readonly ended: (why: string) => void
  /** Bytes of the map at first; it grows with the data. */
  readonly mapSize?: number | undefined
}

/** Rejects with StoreUnavailableError when there is no store in the directory. */
export const openFollowingStore = async ({ directory, pipe, ended, mapSize }: FollowingOptions): Promise<FollowingStore> =>
  new FollowingStore(Database.openShared(directory, mapSize), pipe, ended)

/**
 * Milliseconds for which a look for the next revision is enough. The log has every revision, but a process that was stopped for as long
 * as history is kept, minutes, may find that the next one has been compacted.
 */
const quickLooksFor = 10_000

export class FollowingStore implements Store, History {
  readonly root = '/registry'
  readonly shared = true
  readonly #database: Database
  readonly #end: WorkerEnd
  readonly #reader: LogReader
  /** The file's map is shared by all processes: what a cache leaves there is there once. */
  readonly values: StoredValues
  readonly #hub = new WatchHub()
  #revision: number
  #isFollowing = false
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Pending writes with attachments, by key. */
  readonly #attachments = new BriefMap<string, Write>()
  readonly #underWay = new Set<Promise<unknown>>()
  #closed: Promise<void> | undefined

  constructor(database: Database, pipe: Duplex, ended: (why: string) => void) {
    this.#database = database
    this.#revision = database.lastRevision() ?? 1
    this.#end = new WorkerEnd(pipe, () => this.catchUp(), ended)
    this.#reader = new LogReader({
      database,
      readable: revision => this.#readable(revision),
      eventOf: record => LogEvent.replayed(database, record, this.#attachmentOf(record))
    })
    // a value that was overwritten and compacted before this process has seen that is missed, and the caches begin anew
    this.values = this.#reader.values(() => this.#assertOpen())
  }

  get revision(): number {
    return this.#revision
  }

  get seenRevision(): number {
    return this.#revision
  }

  get compactRevision(): number {
    return this.#database.compactRevision
  }

  currentRevision(): number {
    this.#assertOpen()
    return this.catchUp()
  }

  /** Gives the watchers of this process everything that has been committed. Returns the newest revision. */
  catchUp(): number {
    // watchers may ask while they are given events
    if (this.#isFollowing || this.#closed) return this.#revision
    this.#database.refresh()
    const now = performance.now()
    const isNew = this.#database.has({ revision: this.#revision + 1, sub: 0 })
    if (!isNew && now - this.#lookedAt < quickLooksFor) return this.#revision
    this.#lookedAt = now
    const newest = this.#database.lastRevision() ?? 1
    if (newest > this.#revision) this.#follow(newest)
    return this.#revision
  }

  #follow(newest: number): void {
    this.#isFollowing = true
    try {
      if (this.#hub.idle) this.#revision = newest
      // in steps, so that a long past does not lie in memory as a whole
      while (this.#revision < newest) {
        const { compactRevision } = this.#database
        if (this.#revision + 1 < compactRevision) {
          this.#revision = newest
          return this.#hub.endAll(new CompactedError(compactRevision))
        }
        const { events, through } = this.#reader.events('', this.#revision + 1, newest)
        this.#revision = through
        this.#hub.dispatch(events, through)
      }
    } finally {
      this.#isFollowing = false
    }
  }

  #attachmentOf({ key, value, deleted }: LogRecord): unknown {
    const write = deleted ? undefined : this.#attachments.get(key)
    return write?.value?.equals(value) ? write.attachment : undefined
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

  async commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult> {
    assertWrites(writes)
    this.#assertOpen()
    if (writes.length === 0) return { ok: true, revision: this.catchUp() }
    const commit = this.#commit(writes, caller?.user)
    this.#underWay.add(commit)
    try {
      return await commit
    } finally {
      this.#underWay.delete(commit)
    }
  }

  async #commit(writes: readonly Write[], user: Caller['user']): Promise<CommitResult> {
    for (const write of writes) if (write.attachment !== undefined) this.#attachments.set(write.key, write)
    try {
      // the end of the pipe has caught up before it hands out an answer
      const outcome = await this.#end.commit(writes, user)
      if ('revision' in outcome) return { ok: true, revision: outcome.revision }
      const { key } = writes[outcome.refused]!
      return { ok: false, key, current: this.#reader.read(key, this.#readable()) }
    } finally {
      for (const write of writes) if (this.#attachments.get(write.key) === write) this.#attachments.delete(write.key)
    }
  }

  async watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle> {
    this.#assertOpen()
    this.#database.refresh()
    return watchFrom(this.#hub, this, prefix, fromRevision, watcher)
  }

  events(prefix: string, from: number): Past {
    this.#assertOpen()
    this.#database.refresh()
    const { compactRevision } = this
    if (from < compactRevision) throw new CompactedError(compactRevision)
    return this.#reader.events(prefix, from, this.#revision)
  }

  async compact(revision: number): Promise<void> {
    this.#assertOpen()
    if (revision > this.catchUp()) throw new FutureRevisionError(this.#revision)
    await this.#end.compact(revision)
  }

  async health(): Promise<void> {
    this.#assertOpen()
    await this.#end.check()
  }

  size(): Promise<number> {
    return this.#database.size()
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    this.#end.close()
    this.#hub.close()
    await this.#database.close()
  }

  #readable(revision?: number): number {
    this.#assertOpen()
    this.#database.refresh()
    if (revision === undefined || revision > this.#revision) this.catchUp()
    const asked = revision ?? this.#revision
    const { compactRevision } = this
    if (asked < compactRevision) throw new CompactedError(compactRevision)
    if (asked > this.#revision) throw new FutureRevisionError(this.#revision)
    return asked
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new StoreUnavailableError('the store is closed')
  }
}
