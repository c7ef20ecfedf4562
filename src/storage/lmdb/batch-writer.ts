import { StoreUnavailableError } from '../contract.js'
import type { Database } from './database.js'

/** A part of a transaction. */
export interface Job {
  /** Makes its puts and removals. */
  apply(): void
  fail(error: StoreUnavailableError): void
}

/** Takes changes that are not commits. */
export interface Upkeep {
  /** `apply` makes its puts and removals. Resolves when they are durable. */
  maintain(apply: () => void): Promise<void>
}

/** A transaction holds the event loop while it is handed over, so a long queue goes in several. */
const maxJobs = 512

/**
 * Group commit: while one transaction is on its way to the disk, the jobs of the next one gather, so that one fsync serves
 * them all. Jobs happen in order, except that upkeep goes before what else is in its transaction.
 */
export class BatchWriter<CommitJob extends Job> implements Upkeep {
  readonly #database: Database
  readonly #onDurable: (commits: readonly CommitJob[]) => void
  readonly #onFailure: () => void
  #commits: CommitJob[] = []
  #upkeep: (Job & { done(): void })[] = []
  #scheduled = false
  #writing: Promise<void> | undefined
  /** Why nothing was written last time; cleared by the next transaction that succeeds. */
  #lastFailure: StoreUnavailableError | undefined
  /** LMDB has given up, or the store is closed: nothing can be written any more. */
  #ended: StoreUnavailableError | undefined

  /** `onFailure` is called before the commits that are lost hear of it. */
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

  /** Rejects when nothing can be written; after a failure it tries. */
  async check(): Promise<void> {
    this.assertWritable()
    if (this.#lastFailure !== undefined) await this.maintain(() => this.#database.putFormat())
  }

  #schedule(): void {
    if (this.#scheduled || this.#writing !== undefined) return
    this.#scheduled = true
    // Whatever this turn of the event loop still brings goes along.
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
    // What gathered meanwhile was decided on the strength of what is lost.
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

  /** Takes no more; resolves when all that was taken has been written or has failed. */
  async close(): Promise<void> {
    this.#ended ??= new StoreUnavailableError('the store is closed')
    while (this.#scheduled || this.#writing !== undefined) {
      await (this.#writing ?? new Promise(resolve => setImmediate(resolve)))
    }
  }
}
