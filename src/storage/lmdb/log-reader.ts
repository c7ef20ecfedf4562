import { nextTurn, sliceBytes, startSlice } from '../../util/turns.js'
import {
  CompactedError,
  type KeyValue,
  type KeyVersion,
  type ListOptions,
  type ListResult,
  type StoredValues,
  type StoreEvent,
  StoreUnavailableError,
  type VersionsOptions
} from '../contract.js'
import { isKey, keyRange } from '../keys.js'
import type { Past } from '../replay.js'
import { type IndexEntry, type LogRecord, type Position, toKeyValue } from './codec.js'
import type { Database } from './database.js'
import type { LogEvent } from './log-event.js'

type Reads = Pick<Database, 'entry' | 'entries' | 'floors' | 'record' | 'records' | 'transientRecord'>

export interface LogReaderOptions {
  readonly database: Reads
  /**
   * Returns the revision to read at: `revision`, or the newest visible one. Throws CompactedError and FutureRevisionError. What it
   * has returned for can be read until the end of this turn.
   */
  readable(revision?: number): number
  /** Makes the event of a record. */
  eventOf(record: LogRecord): LogEvent
}

/** Reads the log at any revision: for the store that writes it, and for those that follow it in other processes. */
export class LogReader {
  readonly #options: LogReaderOptions
  readonly #database: Reads

  constructor(options: LogReaderOptions) {
    this.#options = options
    this.#database = options.database
  }

  /** Returns the state of a key at a revision that is readable. */
  read(key: string, revision: number): KeyValue | undefined {
    this.#database.floors.assertReadable(key, revision)
    const entry = isKey(key) ? this.#database.entry(key) : undefined
    return entry && this.#at(entry, revision)
  }

  #at(entry: IndexEntry, revision: number): KeyValue | undefined {
    const record = this.#recordAt(entry, revision)
    return record && toKeyValue(record)
  }

  /** `transient`: the value is valid until the next read. */
  #recordAt(entry: IndexEntry, revision: number, transient = false): LogRecord | undefined {
    if (entry.deleted && entry.revision <= revision) return undefined
    const read = (position: Position) => (transient ? this.#database.transientRecord(position) : this.#database.record(position))
    let record = read(entry)
    while (record !== undefined && record.revision > revision) record = read(record.previous)
    return record === undefined || record.deleted ? undefined : record
  }

  /** As `Store.versions`. */
  async versions(key: string, { from, before = Number.POSITIVE_INFINITY, limit }: VersionsOptions): Promise<KeyVersion[]> {
    const found: KeyVersion[] = []
    const seen = this.#options.readable()
    let sliceIsOver = startSlice()
    let position: Position | undefined = isKey(key) ? this.#database.entry(key) : undefined
    for (;;) {
      this.#options.readable(from)
      this.#database.floors.assertReadable(key, from)
      while (position && found.length < limit && !sliceIsOver()) {
        const record: LogRecord | undefined = this.#database.record(position)
        const isOldest = !record || record.revision <= from
        if (record && record.revision < before && record.revision <= seen && !(isOldest && record.deleted))
          found.push({ revision: record.revision, state: record.deleted ? undefined : toKeyValue(record) })
        position = isOldest ? undefined : record.previous
      }
      if (!position || found.length === limit) return found
      await nextTurn()
      sliceIsOver = startSlice()
    }
  }

  /** `assertOpen` throws when the store is closed. */
  values(assertOpen: () => void): StoredValues {
    return {
      scan: (prefix, revision, take) => this.#scan(prefix, revision, take),
      read: (key, revision) => {
        assertOpen()
        return this.#valueOf(key, revision)
      }
    }
  }

  async #scan(prefix: string, revision: number, take: (item: KeyValue) => void): Promise<void> {
    await this.#visit(prefix, undefined, this.#options.readable(revision), entry => {
      const record = this.#recordAt(entry, revision, true)
      if (record) take(toKeyValue(record))
    })
  }

  #valueOf(key: string, revision: number): Buffer {
    // nearly all commits have one write, so that the index need not be asked
    const first = this.#database.transientRecord({ revision, sub: 0 })
    if (first?.key === key && !first.deleted) return first.value
    const entry = this.#database.entry(key)
    const record = entry && this.#recordAt(entry, revision, true)
    if (record?.revision === revision) return record.value
    throw new StoreUnavailableError(`the store has no value of ${key} at revision ${revision}`)
  }

  #existsAt(entry: IndexEntry, revision: number): boolean {
    if (entry.revision <= revision) return !entry.deleted
    // The key has been written or deleted since. It existed unless it is younger; then an earlier life of the key may have
    // existed.
    return entry.createRevision <= revision || this.#at(entry, revision) !== undefined
  }

  async list(prefix: string, options: ListOptions = {}): Promise<ListResult> {
    for (;;) {
      const revision = this.#options.readable(options.revision)
      try {
        return await this.#listAt(prefix, revision, options)
      } catch (error) {
        // A compaction overtook a list that did not ask for this revision. A newer revision is as good.
        if (!(error instanceof CompactedError) || options.revision !== undefined) throw error
      }
    }
  }

  async #listAt(prefix: string, revision: number, { limit = Number.POSITIVE_INFINITY, start }: ListOptions): Promise<ListResult> {
    this.#database.floors.assertReadable(prefix, revision)
    const items: KeyValue[] = []
    let count = 0
    await this.#visit(prefix, start, revision, entry => {
      const item = count < limit ? this.#at(entry, revision) : undefined
      if (item !== undefined) items.push(item)
      if (item !== undefined || (count >= limit && this.#existsAt(entry, revision))) count++
    })
    return { items, revision, count, more: count > items.length }
  }

  /** Visits the index entries of a prefix, from `start` on, in slices, as long as `revision` is readable. */
  async #visit(prefix: string, start: string | undefined, revision: number, visitor: (entry: IndexEntry) => void): Promise<void> {
    const range = keyRange(prefix, start)
    /** Returns the start of the next slice; undefined at the end. */
    const slice = (from: Buffer, to: Buffer | undefined): Buffer | undefined => {
      const sliceIsOver = startSlice()
      for (const { key, entry } of this.#database.entries(from, to)) {
        visitor(entry)
        if (sliceIsOver()) return Buffer.concat([key, Buffer.from([0])])
      }
      return undefined
    }
    for (let from = range?.from; from !== undefined; ) {
      from = slice(from, range?.to)
      if (from === undefined) break
      await nextTurn()
      this.#options.readable(revision)
      this.#database.floors.assertReadable(prefix, revision)
    }
  }

  /** Returns the events from one revision to another, both inclusive: as many as fit into one slice of time and bytes. */
  events(prefix: string, from: number, to: number): Past {
    this.#database.floors.assertWatchable(prefix, from)
    const sliceIsOver = startSlice()
    const events: StoreEvent[] = []
    let through = from - 1
    let bytes = 0
    for (const record of this.#database.records(from, to + 1)) {
      // Break only between commits: the events of one commit stay together.
      if (record.revision > through && through >= from && (bytes > sliceBytes || sliceIsOver())) return { events, through }
      through = record.revision
      if (!record.key.startsWith(prefix)) continue
      const event = this.#options.eventOf(record)
      events.push(event)
      bytes += event.current?.value.length ?? 0
    }
    return { events, through: to }
  }
}
