import { StoreUnavailableError } from '../contract.js'
import type { Database } from './database.js'

/** One part of a transaction. */
export interface Job {
  /** Performs the puts and removals of the job. */
  apply(): void
  fail(error: StoreUnavailableError): void
}

/** Accepts changes that are not commits. */
export interface Upkeep {
  /** `apply` performs the puts and removals. Resolves when they are durable. */
  maintain(apply: () => void): Promise<void>
}

/** Most jobs in one transaction. Handing over a transaction blocks the event loop, so a long queue is split. */
const maxJobs = 512

/**
 * Group commit: while one transaction is being written to the disk, the jobs of the next one gather, so that one fsync serves
 * them all. Jobs run in order, except that upkeep runs before the commits of its transaction.
 */
export class BatchWriter<CommitJob extends Job> implements Upkeep {
  readonly #database: Database
  readonly #onDurable: (commits: readonly CommitJob[]) => void
  readonly #onFailure: () => void
  #commits: CommitJob[] = []
  #upkeep: (Job & { done(): void })[] = []
  #scheduled = false
  #writing: Promise<void> | undefined
  /** Why the last transaction failed; cleared by the next transaction that succeeds. */
  #lastFailure: StoreUnavailableError | undefined
  /** Set once LMDB has given up or the store is closed: nothing can be written any more. */
  #ended: StoreUnavailableError | undefined

  /** `onFailure` is called before the lost commits are rejected. */
  constructor(database: Database, onDurable: (commits: readonly CommitJob[]) => void, onFailure: () => void) {
    this.#database = database
    this.#onDurable = onDurable
    this.#onFailure = onFailure
  }

  assertWritable(): void {
    if (this.#ended !== undefined) throw this.#ended
  }

  commit(job: CommitJob): void {
    this.#commits.push(job)
    this.#schedule()
  }

  maintain(apply: () => void): Promise<void> {
    return new Promise((done, fail) => {
      if (this.#ended !== undefined) return fail(this.#ended)
      this.#upkeep.push({ apply, done, fail })
      this.#schedule()
    })
  }

  /** Rejects when nothing can be written. After a failure, tries a write. */
  async check(): Promise<void> {
    this.assertWritable()
    if (this.#lastFailure !== undefined) await this.maintain(() => this.#database.putFormat())
  }

  #schedule(): void {
    if (this.#scheduled || this.#writing !== undefined) return
    this.#scheduled = true
    // Jobs that arrive later in this turn of the event loop join the same transaction.
    setImmediate(() => {
      this.#scheduled = false
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined
        if (this.#commits.length > 0 || this.#upkeep.length > 0) this.#schedule()
      })
    })
  }

  async #write(): Promise<void> {
    const upkeep = this.#upkeep
    const commits = this.#commits.splice(0, maxJobs)
    this.#upkeep = []
    try {
      await this.#database.write(() => {
        for (const job of upkeep) job.apply()
        for (const job of commits) job.apply()
      })
    } catch (error) {
      this.#fail([...upkeep, ...commits], error as StoreUnavailableError)
      return
    }
    this.#lastFailure = undefined
    if (commits.length > 0) this.#onDurable(commits)
    for (const job of upkeep) job.done()
  }

  #fail(lost: readonly Job[], error: StoreUnavailableError): void {
    this.#lastFailure = error
    // The jobs that gathered meanwhile were decided on top of the lost ones, so they fail as well.
    const all = [...lost, ...this.#commits, ...this.#upkeep]
    this.#commits = []
    this.#upkeep = []
    try {
      this.#database.assertWritable()
    } catch (fatal) {
      this.#ended = fatal as StoreUnavailableError
    }
    this.#onFailure()
    for (const job of all) job.fail(error)
  }

  /** Accepts no more jobs; resolves when all accepted jobs have been written or have failed. */
  async close(): Promise<void> {
    this.#ended ??= new StoreUnavailableError('the store is closed')
    while (this.#scheduled || this.#writing !== undefined) {
      await (this.#writing ?? new Promise(resolve => setImmediate(resolve)))
    }
  }
}
