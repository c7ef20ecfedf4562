/** A kind's strategy: the steps of a creation or update that differ between kinds, in the order in which they run. */

import type { FeatureGates } from '../apimachinery/features/feature-gates.js'
import type { HonouredGate } from '../apimachinery/features/honoured-gates.js'
import type { FieldTree } from '../apimachinery/fieldmanager/fields-v1.js'
import type { FieldErrors } from '../apimachinery/validation/field.js'
import type { CreateCheck, UpdateCheck } from './checks.js'
import type { StrategyContext } from './strategy-context.js'
import type { CompanionWrite } from './write/companion-write.js'

/** `services` and the version of the request are undefined where a stored object of another server is read. */
export type DefaultContext = Pick<StrategyContext, 'now'> & {
  readonly services?: Pick<StrategyContext['services'], 'features'>
  readonly version?: string
}

export interface Strategy<T> {
  /** Whether PUT creates an object that does not exist. */
  readonly allowCreateOnUpdate?: boolean
  /** Whether a PUT may leave out the resourceVersion, in all versions or in one. Default: true. */
  readonly allowUnconditionalUpdate?: boolean | ((version: string) => boolean)
  /** Returns why no object can be created at present (403). */
  readonly whyUncreatable?: () => string | undefined
  /**
   * Fields that a request cannot own, by subresource ('' is the resource itself). Left out: `status` through the resource, and
   * everything but `status` through the status subresource.
   */
  readonly resetFields?: Readonly<Record<string, FieldTree>>

  /**
   * Sets defaults that the schema cannot express, in the storage version. Runs on every object that comes in, and on stored
   * objects that another server has written.
   */
  readonly default?: (object: T, context: DefaultContext) => void
  /** Sets the defaults that kube-apiserver adds to a new object only when it reads back what it has stored. */
  readonly defaultStored?: (object: T) => void
  /**
   * Whether an object that was never updated has such defaults. kube-apiserver's store lacks them then, so the first update writes the object
   * even if it changes nothing.
   */
  readonly isStoredLess?: (object: T, features: FeatureGates) => boolean
  /**
   * Returns a stored object with what kube-apiserver's store has of it but no answer shows, which updates start from; undefined when
   * there is no more. What prepares the update has to drop it again.
   */
  readonly withUnseen?: (object: T) => T | undefined
  /** Sets the defaults of an object that server-side apply or admission has made, where they are not those of `default`. */
  readonly defaultApplied?: (object: T, context: StrategyContext) => void
  /** Returns what becomes of a custom resource, once it is stored, that admission has changed: without the fields that its schema does not have. */
  readonly readAgain?: (document: T) => T
  /** Removes from an applied object what kube-apiserver stores, but drops whenever it reads it. */
  readonly dropUnread?: (object: T) => void
  /** Refuses contents that the user may not write although the verb is allowed. Runs after mutating admission. */
  readonly authorize?: (object: T, old: T | undefined, context: StrategyContext) => void | Promise<void>
  /** A generateName is used as the name itself, without a suffix. */
  readonly takesGenerateName?: true
  /** Clears the fields that clients may not set, and sets those that only the server sets, before validation. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void | Promise<void>
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void | Promise<void>

  /** The checks of a creation, in their order. Default: `usualCreateChecks`. */
  readonly createChecks?: readonly CreateCheck[]
  /** The checks of an update, in their order. Default: `usualUpdateChecks`. */
  readonly updateChecks?: readonly UpdateCheck[]
  /** Gates that the declared rules of an object take for on or off, whatever the server's are. */
  readonly declaredGates?: (object: T, old: T | undefined) => Partial<Record<HonouredGate, boolean>>
  /** Validates an object as it is, new or updated. */
  readonly validate?: (object: T, errors: FieldErrors, context: StrategyContext, old?: T) => void
  /** Validates rules for new objects only. */
  readonly validateCreate?: (object: T, errors: FieldErrors, context: StrategyContext) => void
  /** Validates the changes of an update. */
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => void
  /** Refuses references to objects that the user may not read. Runs when the checks have found nothing. */
  readonly validateAccess?: (object: T, old: T | undefined, errors: FieldErrors, context: StrategyContext) => Promise<void>
  readonly warnings?: (object: T, old: T | undefined, context: StrategyContext) => string[]

  /**
   * Writes to other keys that are committed together with the object: `object` is undefined for a deletion, `old` for a creation.
   * When the store refuses one of them, none is written, and the operation starts again from its preparation.
   */
  readonly companionWrites?: (object: T | undefined, old: T | undefined, context: StrategyContext) => CompanionWrite[]
  /** Releases the values that the preparation has allocated, when the write fails. */
  readonly release?: (object: T, old: T | undefined, context: StrategyContext) => void
}

/** When metadata.generation counts a change. */
export interface GenerationRules<T> {
  /** The part of the object whose changes count. Default: its spec. */
  readonly of?: (object: T) => unknown
  /** The gate without which the kind has no generation. */
  readonly gate?: HonouredGate
  /** An empty list or map in place of a missing one counts as a change: Go compares these kinds with reflect.DeepEqual. */
  readonly emptyIsChange?: true
  /** Changes of fields whose gate is off count as well, although the fields are dropped. */
  readonly beforeGates?: true
}

/** A kind's strategy for deletions. */
export interface DeletionStrategy<T> {
  /** Returns why an object must not be deleted (403). */
  readonly whyUndeletable?: (object: T) => string | undefined
  /** Returns the grace period in seconds, given the one that the client requests; undefined deletes the object at once. */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number | undefined
  /** Whether another field than metadata.finalizers holds an object that is being deleted (a namespace's spec.finalizers). */
  readonly isHeld?: (object: T) => boolean
  /** For kinds with `isHeld`: a held object gets no finalizers for its dependents. */
  readonly heldWithoutDependents?: boolean
  /** Marks an object that stays for a while as being deleted, outside of its metadata (a namespace's phase). */
  readonly prepare?: (object: T, context: StrategyContext) => void
  /** Runs after an object was removed from the store. */
  readonly after?: (object: T, context: StrategyContext) => void
  /** DELETE answers with the deleted object instead of a Status. 'undocumented': OpenAPI says that it is a Status. */
  readonly returnsObject?: true | 'undocumented'
  /** The propagation policy of requests that name none: some old kinds orphan dependents. */
  readonly defaultPropagation?: (version: string) => 'Orphan' | 'Background' | 'Unsupported'
}
