import { startSlice, takingTurns } from '../../util/turns.js'
import { keyRange } from '../keys.js'
import type { Upkeep } from './batch-writer.js'
import type { LogRecord, Position } from './codec.js'
import type { Database } from './database.js'

/** Most log records that one slice reads. Its removals share a transaction with commits, which should not wait long. */
const maxRecords = 1000

/**
 * Forgets history. Each log record names the record that it superseded. So one pass over the records below the new revision, in
 * order, finds all that can be removed. Records superseded at the revision itself stay, because a watch from there shows them.
 */
export class Compactor {
  readonly #database: Database
  readonly #writer: Upkeep
  #revision: number
  #swept: number
  #sweep: Promise<void> = Promise.resolve()
  /** The revision up to which `forget` has seen all keys of a prefix. */
  readonly #seen = new Map<string, number>()

  constructor(database: Database, writer: Upkeep) {
    this.#database = database
    this.#writer = writer
    this.#revision = database.compactRevision
    this.#swept = database.sweptRevision
  }

  /** Revisions below this one can no longer be read. */
  get revision(): number {
    return this.#revision
  }

  compact(revision: number): Promise<void> {
    this.#revision = Math.max(this.#revision, revision)
    return this.#after(() => this.#sweepAll())
  }

  /** Forgets values of some keys beyond the compaction. */
  forget(prefix: string, revision: number, chooses: (value: Buffer) => boolean): Promise<void> {
    return this.#after(() => this.#forgetBelow(prefix, revision, chooses))
  }

  #after(work: () => Promise<void>): Promise<void> {
    const sweep = this.#sweep.then(work)
    this.#sweep = sweep.catch(() => {})
    return sweep
  }

  async #forgetBelow(prefix: string, revision: number, chooses: (value: Buffer) => boolean): Promise<void> {
    const range = keyRange(prefix)
    const seen = this.#seen.get(prefix) ?? 0
    const database = this.#database
    const turn = takingTurns()
    for (let from = range?.from; from !== undefined; ) {
      const { entries, next } = this.#entries(from, range!.to, seen)
      const positions: Position[] = []
      let floor = 0
      for (const entry of entries)
        for (const { position, end, value } of this.#superseded(entry, seen)) {
          if (end < revision && chooses(value)) {
            positions.push(position)
            floor = Math.max(floor, end)
          }
          await turn()
        }
      if (positions.length > 0) {
        database.floors.raise(prefix, floor)
        await this.#writer.maintain(() => {
          for (const position of positions) database.removeRecord(position)
          database.putFloor(prefix, database.floors.of(prefix))
        })
      } else await turn()
      from = next
    }
    this.#seen.set(prefix, revision)
  }

  /** Returns entries of keys that were written from the revision `since` on, and where the next slice begins. */
  #entries(from: Buffer, to: Buffer | undefined, since: number): { entries: Position[]; next: Buffer | undefined } {
    const sliceIsOver = startSlice()
    const entries: Position[] = []
    for (const { key, entry } of this.#database.entries(from, to)) {
      if (entry.revision >= since) entries.push(entry)
      if (entries.length >= maxRecords || sliceIsOver()) return { entries, next: Buffer.concat([key, Buffer.from([0])]) }
    }
    return { entries, next: undefined }
  }

  /** Yields the values of a key that were superseded at the revision `since` or later, each with the revision of what superseded it. */
  *#superseded(entry: Position, since: number): Iterable<{ position: Position; end: number; value: Buffer }> {
    let record = this.#database.record(entry)
    while (record !== undefined && record.revision >= since && record.previous.revision > 0) {
      const previous = this.#database.record(record.previous)
      if (previous && !previous.deleted) yield { position: previous, end: record.revision, value: previous.value }
      record = previous
    }
  }

  /** Also finishes the sweeps that a failure or the end of a process interrupted. */
  async #sweepAll(): Promise<void> {
    while (this.#swept < this.#revision) {
      const { records, through } = this.#slice()
      await this.#writer.maintain(() => {
        for (const record of records) this.#forget(record)
        this.#database.putCompaction(this.#revision, through)
      })
      this.#swept = through
    }
  }

  #slice(): { records: LogRecord[]; through: number } {
    const sliceIsOver = startSlice()
    const records: LogRecord[] = []
    let through = this.#swept
    for (const record of this.#database.records(this.#swept, this.#revision)) {
      if (record.revision > through && records.length > 0 && (records.length >= maxRecords || sliceIsOver())) {
        return { records, through: record.revision }
      }
      through = record.revision
      records.push(record)
    }
    return { records, through: this.#revision }
  }

  #forget(record: LogRecord): void {
    if (record.previous.revision > 0) this.#database.removeRecord(record.previous)
    if (!record.deleted) return
    this.#database.removeRecord(record)
    // If the key has been created again, the entry describes the new life of the key.
    const newest = this.#database.entry(record.key)
    if (newest?.revision === record.revision) this.#database.removeEntry(record.key)
  }
}
