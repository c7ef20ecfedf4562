/** One attempt to write a set: collects the writes of its objects, and commits all of them at once. */
import * as refs from '../../apimachinery/api/resources.js'
import type { Subject } from '../../apimachinery/request/fault-subject.js'
import { badRequest, StatusError } from '../../apimachinery/status/status.js'
import type { InjectedFaults } from '../../registry/injected-faults.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { PreparedCommit } from '../../registry/write/committer.js'
import type { CompanionWrite } from '../../registry/write/companion-write.js'
import { type Caller, type CommitResult, isConverting, type Store, type Write } from '../../storage/contract.js'
import { StagedRegistry } from './staged-registry.js'

/** Another write came first: all objects of the set start again. */
export class AgainError extends Error {}

interface Gathered extends CompanionWrite {
  readonly store: Store
  /**
   * Whether the write accompanies the objects of the set, such as the charge of a quota, which may be replaced by a later one.
   */
  readonly isBeside: boolean
}

export class Round {
  /** The resources as the objects of the set see them. */
  readonly registry: StagedRegistry
  /** Settles when the round is over: with the outcome of the commit, or with the error of the waiting objects. */
  readonly outcome: Promise<CommitResult>
  #settle!: { resolve(result: CommitResult): void; reject(error: Error): void }
  readonly #writes = new Map<string, Gathered>()
  readonly #subjects: Subject[] = []
  #isOver = false

  constructor(registry: Registry) {
    this.registry = new StagedRegistry(registry)
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    // nobody may be waiting
    this.outcome.catch(() => {})
  }

  get size(): number {
    return this.#writes.size
  }

  /**
   * Takes the writes of an object of the set, or with `isBeside` those that one causes beside itself. Returns false when the object's
   * condition does not hold. Throws a StatusError when the set writes a key twice.
   */
  gather({ resource, key, object, expected, writes, subject }: PreparedCommit, isBeside: boolean): boolean {
    // otherwise the write would be lost
    if (this.#isOver) throw new Error(`a write of ${resource.prefix}${key} came after its set`)
    if (!isBeside && (resource.cache.get(key)?.revision ?? 0) !== expected) return false
    if (subject) this.#subjects.push(subject)
    for (const write of writes) this.#add(write, resource.store, isBeside)
    // admission sees resources in the version in which the server works with them
    if (isShown(resource, expected)) this.registry.stage(resource, key, object, expected)
    return true
  }

  #add(write: CompanionWrite, store: Store, isBeside: boolean): void {
    const { key } = write
    const present = this.#writes.get(key)
    if (!present) return void this.#writes.set(key, { ...write, store, isBeside })
    if (present.value && write.onto) return void this.#writes.set(key, { ...present, value: write.onto(present.value) })
    if (!isBeside)
      throw badRequest(
        present.isBeside
          ? `${key} is written by the admission of an object before it in the set: put this object first`
          : `another object of the set writes ${key}, too`
      )
    this.#writes.set(key, { ...present, value: write.value, attachment: write.attachment })
  }

  /** Commits what was gathered. Resolves with `ok: false` when another write came first. */
  async commit(caller: Caller, faults: InjectedFaults | undefined): Promise<CommitResult> {
    const gathered = [...this.#writes.values()]
    const { store, writes } = await together(gathered)
    if (!store) return { ok: true, revision: 0 }
    let result: CommitResult
    try {
      result = await withFaults(store, this.#subjects, faults).commit(writes, caller)
    } catch (error) {
      throw isTooLarge(error) ? tooLargeForStore(writes) : error
    }
    // a cache behind a conversion webhook shows the writes later
    if (result.ok) for (const { store: own } of gathered) if (own !== store) await own.currentRevision()
    return result
  }

  /** Ends the round for everybody who waits for it. */
  succeed(result: CommitResult): void {
    this.#isOver = true
    this.#settle.resolve(result)
  }

  fail(error: Error): void {
    this.#isOver = true
    this.#settle.reject(error)
  }
}

/**
 * Whether later objects of the set see this one. A new quota counts only when a controller has computed what is used: until then it
 * would refuse every object of the set.
 */
const isShown = ({ group, resource }: Resource, expected: number) =>
  expected !== 0 || group !== refs.resourceQuotas.group || resource !== refs.resourceQuotas.resource

/** Returns the writes for the one store below the stores of the objects. Throws a StatusError when there are several. */
async function together(gathered: readonly Gathered[]): Promise<{ store: Store | undefined; writes: Write[] }> {
  let store: Store | undefined
  const writes: Write[] = []
  for (const { store: own, isBeside: _, onto: __, ...write } of gathered) {
    const below = isConverting(own) ? own.below : own
    store ??= below
    if (store !== below)
      throw badRequest('the objects of a set must be in one store: --etcd-servers-overrides puts some of these into another')
    writes.push(...(isConverting(own) ? await own.converted([write]) : [write]))
  }
  return { store, writes }
}

/** Makes a commit fail when a rule concerns one of the objects. */
const withFaults = (store: Pick<Store, 'commit'>, subjects: readonly Subject[], faults: InjectedFaults | undefined) =>
  subjects.reduce<Pick<Store, 'commit'>>(
    (inner, subject) => (faults ? { commit: (writes, caller) => faults.commit(inner, subject, writes, caller) } : inner),
    store
  )

const isTooLarge = (error: unknown) =>
  error instanceof Error && /too many operations in txn request|request is too large/.test(error.message)

/** etcd limits transactions by --max-txn-ops (128) and --max-request-bytes (1.5 MiB). */
function tooLargeForStore(writes: readonly Write[]): StatusError {
  const bytes = writes.reduce((sum, { value }) => sum + (value?.length ?? 0), 0)
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the set needs ${writes.length} writes of ${bytes} bytes, which is more than etcd takes in one transaction (--max-txn-ops, 128 by default, and --max-request-bytes, 1.5 MiB by default): nothing was written`,
    reason: 'RequestEntityTooLarge',
    code: 413
  })
}
