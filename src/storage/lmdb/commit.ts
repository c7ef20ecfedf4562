import type { CommitResult, StoreEvent, StoreUnavailableError, Write } from '../contract.js'
import type { Job } from './batch-writer.js'
import { encodeRecord, type IndexEntry, nowhere, type Position } from './codec.js'
import type { Database } from './database.js'
import { LogEvent } from './log-event.js'

interface Change {
  readonly key: string
  readonly write: Write
  readonly entry: IndexEntry
  readonly before: Position
}

/** A decided commit that is being written to the disk. */
export class Commit implements Job {
  readonly revision: number
  readonly changes: readonly Change[]
  readonly durable: Promise<CommitResult>
  readonly #database: Database
  #resolve!: (result: CommitResult) => void
  #reject!: (error: StoreUnavailableError) => void

  /** `before`: the newest entry of each write's key. */
  constructor(database: Database, revision: number, writes: readonly Write[], before: readonly (IndexEntry | undefined)[]) {
    this.#database = database
    this.revision = revision
    this.changes = writes.map((write, sub) => ({
      key: write.key,
      write,
      entry: entryAfter(write, before[sub], revision, sub),
      before: before[sub] ?? nowhere
    }))
    this.durable = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  apply(): void {
    for (const { key, write, entry, before } of this.changes) {
      const keyBytes = Buffer.from(key)
      this.#database.put(keyBytes, entry, encodeRecord(entry, before, keyBytes, write.value))
    }
  }

  events(): StoreEvent[] {
    return this.changes.map(({ key, write: { value, attachment }, entry, before }) => {
      const { createRevision, revision: modRevision, version } = entry
      const current = value && { key, value, createRevision, modRevision, version }
      return new LogEvent(this.#database, key, current, modRevision, before, attachment)
    })
  }

  succeed(): void {
    this.#resolve({ ok: true, revision: this.revision })
  }

  fail(error: StoreUnavailableError): void {
    this.#reject(error)
  }
}

const entryAfter = (write: Write, before: IndexEntry | undefined, revision: number, sub: number): IndexEntry => {
  const present = before === undefined || before.deleted ? undefined : before
  if (write.value === undefined) return { ...present!, deleted: true, revision, sub }
  return {
    deleted: false,
    createRevision: present?.createRevision ?? revision,
    version: (present?.version ?? 0) + 1,
    revision,
    sub
  }
}
