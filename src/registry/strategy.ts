/** A kind's strategy: what happens to its objects when they are created and updated, in the order in which it happens. */
import type { FieldTree } from '../fieldmanager/fields-v1.js'
import type { Write } from '../storage/contract.js'
import type { FieldErrors } from '../validation/field.js'
import type { CreateCheck, UpdateCheck } from './checks.js'
import type { StrategyContext } from './strategy-context.js'

export interface Strategy<T> {
  /** PUT creates an object that does not exist. */
  readonly allowCreateOnUpdate?: boolean
  /** A PUT may leave out the resourceVersion. Default true. */
  readonly allowUnconditionalUpdate?: boolean
  /** Why no object can be created at present: answered with 403. */
  readonly whyUncreatable?: () => string | undefined
  /**
   * Fields that a request cannot own, by subresource ('' is the resource itself). Left out: `status` through the resource, and
   * everything but `status` through the status subresource.
   */
  readonly resetFields?: Readonly<Record<string, FieldTree>>

  /**
   * Sets defaults that the schema cannot express, in the storage version. Runs on every object that comes in, and on stored objects
   * that another server has written.
   */
  readonly default?: (object: T, context: Pick<StrategyContext, 'now'>) => void
  /** Sets the defaults that kube-apiserver adds to a new object only when it reads back what it has stored. */
  readonly defaultStored?: (object: T) => void
  /** Sets the defaults of an object that server-side apply has made, where they are not those of `default`. */
  readonly defaultApplied?: (object: T, context: StrategyContext) => void
  /** Refuses what the user may not write although the request's verb is allowed. Runs after mutating admission. */
  readonly authorize?: (object: T, old: T | undefined, context: StrategyContext) => void | Promise<void>
  /** Clears what a client may not set and sets what the server sets, before validation. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void | Promise<void>
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void | Promise<void>

  /** The checks of a creation, in their order. Default: `usualCreateChecks`. */
  readonly createChecks?: readonly CreateCheck[]
  /** The checks of an update, in their order. Default: `usualUpdateChecks`. */
  readonly updateChecks?: readonly UpdateCheck[]
  /** Validates an object as it is, new or updated. */
  readonly validate?: (object: T, errors: FieldErrors, context: StrategyContext, old?: T) => void
  /** Validates what is asked of new objects only. */
  readonly validateCreate?: (object: T, errors: FieldErrors, context: StrategyContext) => void
  /** Validates what changes. */
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => void
  /** Refuses references to objects that the user may not read. Runs when the checks have found nothing. */
  readonly validateAccess?: (object: T, old: T | undefined, errors: FieldErrors, context: StrategyContext) => Promise<void>
  readonly warnings?: (object: T, old: T | undefined, context: StrategyContext) => string[]

  /**
   * Writes to other keys that are committed together with the object: `object` is undefined for a deletion, `old` for a creation.
   * When the store refuses one of them, none is written, and the operation starts again from its preparation.
   */
  readonly companionWrites?: (object: T | undefined, old: T | undefined, context: StrategyContext) => Write[]
  /** Gives back what the preparation took, when nothing was written after it. */
  readonly release?: (object: T, old: T | undefined, context: StrategyContext) => void
}

/** When metadata.generation counts a change. */
export interface GenerationRules<T> {
  /** The part of the object whose changes count. Default: its spec. */
  readonly of?: (object: T) => unknown
  /** To set an empty list or map where there was none is a change: Go compares these kinds with reflect.DeepEqual. */
  readonly emptyIsChange?: true
}

/** What happens when objects are deleted. */
export interface DeletionStrategy<T> {
  /** Why an object may not be deleted: answered with 403. */
  readonly whyUndeletable?: (object: T) => string | undefined
  /** Seconds for which an object stays while it shuts down, given what the client requests; undefined: it is deleted at once. */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number | undefined
  /** Something beside metadata.finalizers keeps an object that is being deleted (a namespace's spec.finalizers). */
  readonly isHeld?: (object: T) => boolean
  /** For kinds with `isHeld`: a held object gets no finalizers for its dependents. */
  readonly heldWithoutDependents?: boolean
  /** Marks an object that stays for a while as being deleted, beyond its metadata (a namespace's phase). */
  readonly prepare?: (object: T, context: StrategyContext) => void
  /** Runs when an object is gone for good. */
  readonly after?: (object: T, context: StrategyContext) => void
  /** DELETE answers with the deleted object instead of a Status. */
  readonly returnsObject?: boolean
  /** What becomes of dependents when the request does not say: some old kinds orphan them. */
  readonly defaultPropagation?: (version: string) => 'Orphan' | 'Background' | 'Unsupported'
}
