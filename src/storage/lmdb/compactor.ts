import { startSlice } from '../../util/turns.js'
import type { Upkeep } from './batch-writer.js'
import type { LogRecord } from './codec.js'
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
    const sweep = this.#sweep.then(() => this.#sweepAll())
    this.#sweep = sweep.catch(() => {})
    return sweep
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
