/**
 * Who commits the writes of an operation in place of the operation itself: several objects that are written all or nothing (a set,
 * docs/sets.md) go through the usual path one after the other, and their writes are gathered here.
 */
import type { Subject } from '../../apimachinery/request/fault-subject.js'
import type { Origin } from '../../apimachinery/request/origin.js'
import type { CommitResult } from '../../storage/contract.js'
import type { Resource } from '../resource.js'
import type { CompanionWrite } from './companion-write.js'

/** What an operation would commit. */
export interface PreparedCommit {
  readonly resource: Resource
  /** That of the operation. */
  readonly origin: Origin
  /** The object's key in the watch cache. */
  readonly key: string
  /** The object to be stored, in the version of the cache; undefined for a deletion. */
  readonly object: any
  /** The revision of the present object; 0 when there must be none. */
  readonly expected: number
  /** The object's own write first. None in a dry run. */
  readonly writes: readonly CompanionWrite[]
  /** What faults may be for; undefined where there are none. */
  readonly subject?: Subject | undefined
}

export interface Committer {
  /** Resolves when the set is committed. Rejects when it is not; `ok` is false only where the object's own condition does not hold. */
  commit(prepared: PreparedCommit): Promise<CommitResult>
}
