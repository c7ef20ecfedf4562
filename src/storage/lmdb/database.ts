import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database as Lmdb } from 'lmdb'
import { Floors } from '../floors.js'
import {
  decodeEntry,
  decodePosition,
  decodeRecord,
  encodeEntry,
  encodePosition,
  type IndexEntry,
  type LogRecord,
  type Position
} from './codec.js'
import { dictionary } from './dictionary.js'
import {
  dataFile,
  notOurs,
  openForReading,
  openRoot,
  prepareDirectory,
  type Root,
  tableOptions,
  unavailable
} from './directory.js'
import { assertRoom } from './disk.js'
import { checkFormat, decodeNumber, encodeNumber, formatKey, formatVersion } from './format.js'
import { haveSameBeginning, indexKey, indexRange, isDigest, isLong } from './index-key.js'
import { type DirectoryLock, lockDirectory } from './lock.js'
import { removeTemporary } from './temporary.js'

type Table = Lmdb<Buffer, Buffer>

/** Bytes from which a value is compressed. Shorter values gain little. */
const compressedFrom = 400

const metaKey = {
  compactRevision: Buffer.from('compactRevision'),
  sweptRevision: Buffer.from('sweptRevision'),
  raisedRevision: Buffer.from('raisedRevision')
}

/** What the floor of a prefix is under. */
const floorKey = 'floor:'

/** The unit in which the file system tells the size of files. */
const blockBytes = 512

interface Indexed {
  readonly key: Buffer
  readonly entry: IndexEntry
}

/** The three tables in the directory, without knowledge of how they relate. Reads show durable data only. */
export class Database {
  readonly directory: string
  /** Undefined where another process writes. */
  readonly #lock: DirectoryLock | undefined
  readonly #root: Root
  readonly #meta: Table
  readonly #index: Table
  readonly #log: Table
  readonly #temporary: boolean
  /** What has been forgotten of some keys beyond the compaction. */
  readonly floors: Floors
  #open = true

  private constructor(directory: string, lock: DirectoryLock | undefined, root: Root, temporary: boolean) {
    this.directory = directory
    this.#temporary = temporary
    this.#lock = lock
    this.#root = root
    this.#meta = root.openDB({ name: 'meta', ...tableOptions })
    this.floors = new Floors(this.#storedFloors())
    this.#index = root.openDB({ name: 'index', ...tableOptions })
    this.#log = root.openDB({ name: 'log', ...tableOptions, compression: { threshold: compressedFrom, dictionary } })
  }

  /** A `temporary` directory is deleted by `close`, and nothing waits for its disk. `mapSize`: as directory.ts has it. */
  static async open(directory: string, temporary = false, mapSize?: number): Promise<Database> {
    prepareDirectory(directory)
    let lock: DirectoryLock | undefined
    let root: Root | undefined
    try {
      // nobody else knows of a temporary directory
      if (!temporary) lock = await lockDirectory(directory)
      root = openRoot(directory, !temporary, mapSize)
      // Do not create tables in a foreign database. (LMDB ends table names with a zero byte.)
      const tables = [...root.getKeys({ limit: 4 })].map(String)
      if (tables.length > 0 && !tables.includes('meta\0')) throw notOurs(directory)
      const database = new Database(directory, lock, root, temporary)
      await database.#checkFormat()
      return database
    } catch (error) {
      await root?.close()
      lock?.release()
      throw unavailable(directory, 'open', error)
    }
  }

  /** Opens a database for reading that another process has opened and writes to. */
  static openShared(directory: string, mapSize?: number): Database {
    const root = openForReading(directory, mapSize)
    try {
      const database = new Database(directory, undefined, root, false)
      checkFormat(directory, database.#number(formatKey))
      return database
    } catch (error) {
      void root.close()
      throw unavailable(directory, 'read', error)
    }
  }

  /**
   * Makes the reads of this turn from here on see what other processes have committed. Reads of one turn otherwise share a
   * transaction, and see one state.
   */
  refresh(): void {
    this.#root.resetReadTxn()
  }

  /** Whether there is a write at a position. Cheap where there is none. */
  has(position: Position): boolean {
    return this.#log.doesExist(encodePosition(position))
  }

  async #checkFormat(): Promise<void> {
    const format = this.#number(formatKey)
    checkFormat(this.directory, format)
    if (format === formatVersion) return
    // format 1 has the same tables without compression, and stays readable
    if (format === 0 && this.lastRevision() !== undefined) throw notOurs(this.directory)
    await this.write(() => this.putFormat())
  }

  entry(key: string): IndexEntry | undefined {
    const bytes = this.#index.get(indexKey(Buffer.from(key)))
    return bytes && decodeEntry(bytes)
  }

  /** Yields index entries in key order. */
  *entries(from: Buffer, to: Buffer | undefined): Iterable<Indexed> {
    const isWithin = (key: Buffer) => Buffer.compare(key, from) >= 0 && (!to || Buffer.compare(key, to) < 0)
    const { start, end } = indexRange(from, to)
    /** Long keys with a common beginning: LMDB returns them in the order of their digests. */
    let group: Indexed[] = []
    for (const { key: found, value } of this.#index.getRange({ start, ...(end && { end }) })) {
      const entry = decodeEntry(value)
      const key = isDigest(found as Buffer) ? this.#wholeKey(entry) : (found as Buffer)
      if (group.length > 0 && !haveSameBeginning(group[0]!.key, key)) {
        yield* group.sort((a, b) => Buffer.compare(a.key, b.key))
        group = []
      }
      if (!isWithin(key)) continue
      if (isLong(key)) group.push({ key, entry })
      else yield { key, entry }
    }
    yield* group.sort((a, b) => Buffer.compare(a.key, b.key))
  }

  #wholeKey(position: Position): Buffer {
    return Buffer.from(this.record(position)!.key)
  }

  record(position: Position): LogRecord | undefined {
    const bytes = this.#log.get(encodePosition(position))
    return bytes && decodeRecord(position, bytes)
  }

  /** The same in lmdb's own buffer: the value is valid until the next read. Saves an allocation for those who look at many values. */
  transientRecord(position: Position): LogRecord | undefined {
    const bytes = this.#log.getBinaryFast(encodePosition(position))
    return bytes && decodeRecord(position, bytes)
  }

  /** Yields the log from revision `from` (inclusive) to revision `to` (exclusive). */
  *records(from: number, to: number): Iterable<LogRecord> {
    const range = { start: encodePosition({ revision: from, sub: 0 }), end: encodePosition({ revision: to, sub: 0 }) }
    for (const { key, value } of this.#log.getRange(range)) yield decodeRecord(decodePosition(key as Buffer), value)
  }

  /** Revision of the newest write, or the one that a restore raised it to; undefined when there has never been a write. */
  lastRevision(): number | undefined {
    const raised = this.#number(metaKey.raisedRevision)
    for (const key of this.#log.getKeys({ reverse: true, limit: 1 }))
      return Math.max(raised, decodePosition(key as Buffer).revision)
    return raised || undefined
  }

  get compactRevision(): number {
    return this.#number(metaKey.compactRevision)
  }

  /** Records that were superseded below this revision are gone from the log. */
  get sweptRevision(): number {
    return this.#number(metaKey.sweptRevision)
  }

  *#storedFloors(): Iterable<[prefix: string, floor: number]> {
    const range = { start: Buffer.from(floorKey), end: Buffer.from(`${floorKey}\xff`, 'latin1') }
    for (const { key, value } of this.#meta.getRange(range))
      yield [(key as Buffer).subarray(floorKey.length).toString(), decodeNumber(value)]
  }

  #number(key: Buffer): number {
    return decodeNumber(this.#meta.get(key))
  }

  /**
   * Runs all puts and removals of `fill` as one transaction. Resolves after the fsync, which a thread of the pool waits for.
   * Rejects with StoreUnavailableError when none of it happened: a child transaction is discarded as a whole when `fill` throws.
   * (lmdb's own batches do not fit: they hand each value to a thread for compression, which takes longer than compressing it
   * here.)
   */
  async write(fill: () => void): Promise<void> {
    try {
      assertRoom(this.directory, dataFile)
      await this.#root.childTransaction(fill)
    } catch (error) {
      throw unavailable(this.directory, 'write to', await commitError(error))
    }
  }

  /** Throws when LMDB has given up on this environment; only reopening the environment helps then. */
  assertWritable(): void {
    try {
      this.#root.transactionSync(() => {})
    } catch (error) {
      throw unavailable(this.directory, 'write to', error)
    }
  }

  // Call the following methods within `fill` only.

  put(key: Buffer, entry: IndexEntry, record: Buffer): void {
    this.#log.put(encodePosition(entry), record)
    this.#index.put(indexKey(key), encodeEntry(entry))
  }

  removeRecord(position: Position): void {
    this.#log.remove(encodePosition(position))
  }

  removeEntry(key: string): void {
    this.#index.remove(indexKey(Buffer.from(key)))
  }

  putCompaction(compactRevision: number, sweptRevision: number): void {
    this.#meta.put(metaKey.compactRevision, encodeNumber(compactRevision))
    this.#meta.put(metaKey.sweptRevision, encodeNumber(sweptRevision))
  }

  putFloor(prefix: string, floor: number): void {
    this.#meta.put(Buffer.from(floorKey + prefix), encodeNumber(floor))
  }

  /** Makes `revision` the current one, and forgets the history before it. */
  putRaised(revision: number): void {
    this.#meta.put(metaKey.raisedRevision, encodeNumber(revision))
    this.putCompaction(revision, this.sweptRevision)
  }

  putFormat(format = formatVersion): void {
    this.#meta.put(formatKey, encodeNumber(format))
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** Copies the database as it is at one moment. LMDB names the file itself. */
  /** How many keys and writes there are, as the tables count them. */
  entryCount(): number {
    const count = (table: Table) => (table.getStats() as { entryCount?: number }).entryCount ?? 0
    return count(this.#index) + count(this.#log)
  }

  async copyTo(directory: string): Promise<void> {
    try {
      await this.#root.backup(directory, false)
    } catch (error) {
      throw unavailable(directory, 'write to', error)
    }
  }

  /** The bytes that are allocated on the disk. */
  async size(): Promise<number> {
    return (await stat(join(this.directory, dataFile))).blocks * blockBytes
  }

  /** Waits for pending writes. */
  async close(): Promise<void> {
    this.#open = false
    await this.#root.close()
    this.#lock?.release()
    if (this.#temporary) await removeTemporary(this.directory)
  }
}

/** lmdb rejects with a general error, whose `commitError` rejects with the actual error. */
const commitError = async (error: unknown): Promise<unknown> => {
  try {
    await (error as { commitError?: Promise<never> }).commitError
    return error
  } catch (cause) {
    return cause
  }
}
