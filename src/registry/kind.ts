/**
 * What a kind is: data plus small functions. A kind's file says nothing about HTTP, storage or encoding; the registry,
 * discovery, OpenAPI and Table all read this one definition.
 */

import type { JSONSchemaProps } from '../api/generated/apiextensions-v1.js'
import type { FieldTree } from '../fieldmanager/fields-v1.js'
import type { ReplicasPlace } from '../fieldmanager/scale.js'
import type { Write } from '../storage/contract.js'
import type { FieldErrors } from '../validation/field.js'
import type { KubeObject } from './kube-object.js'
import type { Services } from './services.js'
import type { StrategyContext } from './strategy-context.js'
import type { SubresourceDefinition } from './subresource.js'

export type { KubeObject }

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

export interface KindVersion {
  /** "v1" */
  readonly name: string
  /** The version's type in the schema: "core.v1.Pod". */
  readonly type: string
  /** Served without --runtime-config. Default true. */
  readonly served?: boolean
  /** Set on a storage version that belongs to another group, for kinds that two groups serve; such a version is never served. */
  readonly apiVersion?: string
  /** Sent as a Warning with every answer of this version: "v1 Endpoints is deprecated in v1.33+; …". */
  readonly deprecation?: string
  /** Converts an object of this version into the storage version, and back; left out for the storage version. May change its argument. */
  readonly toStorage?: (object: any) => any
  readonly fromStorage?: (object: any) => any
}

export interface Column<T> {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format?: string
  readonly description: string
  /** 0 is shown always, 1 only with `-o wide`. */
  readonly priority?: number
  /** Only its cells are there: nothing says what they mean. */
  readonly undefined?: boolean
  /** A text without a value is null instead of "". */
  readonly nullable?: boolean
  readonly value: (object: T, context: ColumnContext) => unknown
}

/** What a Table says of a whole row. */
export interface RowCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

/** What a cell may depend on beside its object. What is asked for here says how long the row stays right. */
export interface ColumnContext {
  /** The present time in milliseconds. A row that reads it is made anew every second: for ages there is `since`. */
  readonly now: number
  /** The time that has passed, as kubectl shows ages: "3d4h", or "<unknown>" without a time. */
  since(time: string | null | undefined): string
}

/** Where a kind keeps what the scale subresource shows. */
export interface ScaleDefinition<T> {
  replicas(object: T): number
  setReplicas(object: T, replicas: number): void
  /** Where they stand, for those who own fields; spec.replicas when left out. */
  readonly replicasPlace?: ReplicasPlace
  statusReplicas(object: T): number
  /** The selector in text form, "" for none. */
  selector(object: T): string
  /** Why an object has no scale that could be shown, if so: an internal error. */
  whyUnreadable?(object: T): string | undefined
}

export interface KindDefinition<T extends KubeObject = any> {
  readonly group: string
  readonly kind: string
  /** Plural resource name. */
  readonly resource: string
  readonly singular?: string
  /** What errors call the resource, where that is not its name. */
  readonly nameInErrors?: string
  /** What lists of it are called, when not the kind and "List". */
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly namespaced: boolean
  /** Declared by a CustomResourceDefinition: documents are not typed beyond what its schema says. */
  readonly custom?: { readonly schema: () => JSONSchemaProps }
  /** The first one is the version in which objects are stored. */
  readonly versions: readonly [KindVersion, ...KindVersion[]]
  /**
   * Forms that no client sees any more but that kube-apiserver still stores, by apiVersion: what makes the storage version of
   * such an object.
   */
  readonly storedForms?: Readonly<Record<string, (object: any) => any>>
  /** The version that discovery's storageVersionHash speaks of, where it is not the first of `versions`. */
  readonly storedAs?: { readonly group: string; readonly version: string }
  /** All eight when left out. */
  readonly verbs?: readonly Verb[]
  /** Where the objects lie under /registry/, when not under the resource's name. */
  readonly storagePath?: string
  /** Names: the default is a DNS-1123 subdomain. Returns what is wrong with a name; `prefix` says that it is a generateName. */
  readonly validateName?: (name: string, prefix: boolean, object: T) => string[]
  /** Fields beyond metadata.name and metadata.namespace that field selectors can name, with their value. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>
  /** What is said of a field that is not among them, where that is not what most kinds say. */
  readonly unknownField?: (field: string, version: string) => string
  readonly columns?: readonly Column<T>[]
  readonly rowConditions?: (object: T) => readonly RowCondition[]

  /**
   * Defaults that the schema cannot say. Runs on every object that comes in, in the storage version, and on what another server
   * has stored.
   */
  readonly default?: (object: T, context: Pick<StrategyContext, 'now'>) => void
  /** What `default` adds once more to a new object after its preparation and validation: kube-apiserver reads again what it has stored. */
  readonly defaultStored?: (object: T) => void
  /** What server-side apply fills in, where that is not `default`. */
  readonly defaultApplied?: (object: T, context: StrategyContext) => void
  /**
   * Refuses what the user may not write although the request's verb is allowed. Runs before the preparation, when admission plugins have
   * changed the object.
   */
  readonly authorize?: (object: T, old: T | undefined, context: StrategyContext) => void | Promise<void>
  /** Clears what a client may not set and fills what the server sets, before validation. */
  readonly prepareForCreate?: (object: T, context: StrategyContext) => void | Promise<void>
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void | Promise<void>
  readonly validate?: (object: T, errors: FieldErrors, context: StrategyContext, old?: T) => void
  /** Rules for new objects only; `validate` runs too, before it. */
  readonly validateCreate?: (object: T, errors: FieldErrors, context: StrategyContext) => void
  /** An update is validated as a creation would be, metadata included: what is wrong there becomes one cause more. */
  readonly revalidatesMetadata?: boolean
  /** The kind's own rules leave metadata alone: only those for all kinds look at it, when nothing else is wrong. */
  readonly onlyGenericMetadata?: boolean
  /** Rules between old and new; `validate` runs too, after it. */
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => void
  /** What `validate` finds in an update comes before what `validateUpdate` finds. */
  readonly updateRulesLast?: boolean
  /** The kind's own rules for updates leave changes of metadata to the generic ones. */
  readonly updateRulesSkipMetadata?: boolean
  /** Refuses references to what the user may not read, in an object in which nothing else is wrong. */
  readonly validateAccess?: (object: T, old: T | undefined, errors: FieldErrors, context: StrategyContext) => Promise<void>
  readonly warnings?: (object: T, old: T | undefined, context: StrategyContext) => string[]
  /** Runs when a create or update did not come about after its preparation: gives back what preparation took. */
  readonly release?: (object: T, old: T | undefined, context: StrategyContext) => void

  /** Why no object may be created (any more): a 403. */
  readonly whyUncreatable?: () => string | undefined
  /**
   * Writes to other keys that happen together with that of an object, or not at all: `object` is undefined for a deletion, `old`
   * for a creation. When one of them is refused the operation starts again from its preparation.
   */
  readonly accompany?: (object: T | undefined, old: T | undefined, context: StrategyContext) => Write[]

  /** Why an object may not be deleted at all, if it may not: a 403. */
  readonly whyUndeletable?: (object: T) => string | undefined
  /** Changes beyond metadata that mark an object as being deleted (a namespace's phase), when it stays for a while. */
  readonly prepareForDelete?: (object: T, context: StrategyContext) => void
  /** Runs when an object is gone for good. */
  readonly afterDelete?: (object: T, context: StrategyContext) => void

  /** The kind has a status subresource: the main resource keeps `status`, the subresource keeps everything else. */
  readonly status?: StatusDefinition<T> | true
  readonly scale?: ScaleDefinition<T>
  readonly subresources?: Readonly<Record<string, SubresourceDefinition>>
  /** metadata.generation is 1 on creation and counts changes of the spec (or of what `generationOf` returns). */
  readonly generation?: boolean | ((object: T) => unknown)
  /** To give an empty list or map where there is none counts as a change there: Go compares these kinds to the letter. */
  readonly emptyIsChange?: boolean
  /** What a request cannot own where that is not just status, or just spec: by subresource, '' for the resource itself. */
  readonly resets?: Readonly<Record<string, FieldTree>>
  /** PUT creates what is not there. */
  readonly allowCreateOnUpdate?: boolean
  /** PUT without a resourceVersion is taken as it is; default true. */
  readonly allowUnconditionalUpdate?: boolean
  /** Seconds that an object stays while it shuts down, of which the client requested so many; undefined: deleted at once. */
  readonly gracePeriod?: (object: T, requested: number | undefined) => number | undefined
  /** Something beside metadata.finalizers keeps the object while it is being deleted (a namespace's spec.finalizers). */
  readonly isHeld?: (object: T) => boolean
  /** For kinds with `isHeld`: what shall become of dependents does not matter while they are held. */
  readonly heldWithoutDependents?: boolean
  /** DELETE answers with the deleted object instead of a Status. */
  readonly returnsDeletedObject?: boolean
  /** What dependents become when a delete does not say: orphans for some old kinds. */
  readonly defaultPropagation?: (version: string) => 'Orphan' | 'Background' | 'Unsupported'
  /** Annotations that stand for fields of other versions: metadata shown by itself is without them. */
  readonly fieldAnnotations?: readonly string[]
  /** kube-apiserver has no watch cache of them: what it says of versions comes from storage. */
  readonly uncached?: boolean
  /** Objects that are found out when somebody asks, and never stored (component statuses). */
  readonly computed?: ComputedDefinition<T>
  /** Kinds that are answered and never stored (reviews). */
  readonly virtual?: VirtualDefinition
}

export interface StatusDefinition<T> {
  /**
   * Which metadata a status update may change; 'none' keeps the old metadata but for managedFields, 'reset' puts back what users
   * write and leaves the rest to validation. Default 'all'.
   */
  readonly metadata?: 'all' | 'none' | 'reset' | 'all but labels'
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => void | Promise<void>
  readonly onlyGenericMetadata?: boolean
  readonly warnings?: (object: T, old: T, context: StrategyContext) => string[]
  /** False: through the status subresource, objects cannot be had as Tables. */
  readonly columns?: false
}

export interface VirtualDefinition {
  /** The answer to a POST. `judge`: validating admission, asked once the object is known to be valid. */
  create(object: any, context: StrategyContext, judge: (object: unknown) => Promise<void>): unknown
}

export interface ComputedDefinition<T> {
  readonly names: readonly string[]
  get(name: string, services: Services): Promise<T>
}

/** Declares a kind. The identity function: it is there for its types. */
export function defineKind<T extends KubeObject>(definition: KindDefinition<T>): KindDefinition<T> {
  return definition
}
