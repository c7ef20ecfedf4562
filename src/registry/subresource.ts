/** A kind's declaration of its subresources. `apiserver/subresources/` binds them to implementations of `connect`, `create` and `get`. */
import type { HonouredGate } from '../apimachinery/features/honoured-gates.js'
import type { ReplicasPlace } from '../apimachinery/fieldmanager/scale.js'
import type { FieldErrors } from '../apimachinery/validation/field.js'
import type { StatusCheck, UpdateCheck } from './checks.js'
import type { StrategyContext } from './strategy-context.js'

export interface Subresources<T> {
  /** The status subresource: it changes only `status`, which updates of the resource itself cannot change. */
  readonly status?: StatusSubresource<T> | true
  readonly scale?: ScaleSubresource<T>
  /** The other subresources by name: "eviction". */
  readonly others?: Readonly<Record<string, SubresourceDefinition>>
}

export interface StatusSubresource<T> {
  /** The gate without which the resource itself changes the status, too. */
  readonly onlyWith?: HonouredGate
  /**
   * Which metadata a status update may change: 'none' keeps all metadata except managedFields; 'reset' restores the metadata that
   * users write, and leaves the rest to validation. Default 'all'.
   */
  readonly metadata?: 'all' | 'none' | 'reset' | 'all but labels'
  /**
   * What creates an object that does not exist yet, through its status: an apply, or also a PUT. In kube-apiserver the stores of a few statuses are those of their
   * kinds, and create as these do.
   */
  readonly creates?: 'apply' | 'apply and put'
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void
  /** The checks of an update, in their order. Default: `usualStatusChecks`. */
  readonly updateChecks?: readonly StatusCheck[]
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => void | Promise<void>
  readonly warnings?: (object: T, old: T, context: StrategyContext) => string[]
  /** False when the subresource does not answer with Tables. */
  readonly columns?: false
}

/** How a kind's objects hold the fields of a Scale. */
export interface ScaleSubresource<T> {
  replicas(object: T): number
  setReplicas(object: T, replicas: number): void
  /** Where the replicas are, for field managers. Default: spec.replicas. */
  readonly replicasPlace?: ReplicasPlace
  statusReplicas(object: T): number
  /** The selector in text form, "" for none. */
  selector(object: T): string
  /** Returns why an object has no valid Scale, which becomes an internal error. */
  whyUnreadable?(object: T): string | undefined
}

/**
 * A subresource shows and changes a part of the object itself (`prepareForUpdate`: ephemeralcontainers, approval), or it has an
 * implementation in `apiserver/subresources/` (eviction, token, log).
 */
export interface SubresourceDefinition {
  /** The kind of the request's and the answer's body, as discovery lists it. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  /** Its type in the schema: "policy.v1.Eviction". */
  readonly type: string
  readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[]
  /** The implementation answers every method of `verbs`, with something other than an object (logs, streams, proxies). */
  readonly connects?: true
  /** Other versions of the kind that are accepted: ["policy/v1beta1"]. */
  readonly accepts?: readonly string[]
  /** Top-level fields that the subresource cannot change, so that no manager owns them through it: ["status"]. */
  readonly keeps?: readonly string[]
  /** Restores the fields of `object`, which will be stored, that the subresource may not change. */
  readonly prepareForUpdate?: (object: any, old: any, context: StrategyContext) => void
  /** The checks of an update, in their order. Default: those of the resource. */
  readonly updateChecks?: readonly UpdateCheck[]
}
