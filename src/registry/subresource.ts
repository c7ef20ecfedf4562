/** What a kind declares of its subresources. What answers `connect`, `create` and `get` is bound in `subresources/`. */
import type { ReplicasPlace } from '../fieldmanager/scale.js'
import type { FieldErrors } from '../validation/field.js'
import type { StatusCheck, UpdateCheck } from './checks.js'
import type { StrategyContext } from './strategy-context.js'

export interface Subresources<T> {
  /** The resource keeps `status` as it was, and the subresource keeps everything else. */
  readonly status?: StatusSubresource<T> | true
  readonly scale?: ScaleSubresource<T>
  /** By name: "eviction". */
  readonly others?: Readonly<Record<string, SubresourceDefinition>>
}

export interface StatusSubresource<T> {
  /**
   * Which metadata a status update may change: 'none' keeps the old metadata but for managedFields; 'reset' keeps what users write
   * and leaves the rest to validation. Default 'all'.
   */
  readonly metadata?: 'all' | 'none' | 'reset' | 'all but labels'
  readonly prepareForUpdate?: (object: T, old: T, context: StrategyContext) => void
  /** The checks of an update, in their order. Default: `usualStatusChecks`. */
  readonly updateChecks?: readonly StatusCheck[]
  readonly validateUpdate?: (object: T, old: T, errors: FieldErrors, context: StrategyContext) => void | Promise<void>
  readonly warnings?: (object: T, old: T, context: StrategyContext) => string[]
  /** False: the subresource does not answer with Tables. */
  readonly columns?: false
}

/** Where a kind keeps what a Scale shows. */
export interface ScaleSubresource<T> {
  replicas(object: T): number
  setReplicas(object: T, replicas: number): void
  /** Where the replicas are, for field managers. Default: spec.replicas. */
  readonly replicasPlace?: ReplicasPlace
  statusReplicas(object: T): number
  /** The selector in text form, "" for none. */
  selector(object: T): string
  /** Why an object has no scale that could be shown, if so: an internal error. */
  whyUnreadable?(object: T): string | undefined
}

/**
 * A subresource shows and changes a part of the object itself (`prepareForUpdate`: ephemeralcontainers, approval), or it has an
 * implementation in `subresources/` (eviction, token, log).
 */
export interface SubresourceDefinition {
  /** The kind that is sent and answered, as discovery lists it. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  /** Its type in the schema: "policy.v1.Eviction". */
  readonly type: string
  readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[]
  /** The implementation answers every method among `verbs`, and with what is no object (logs, streams, proxies). */
  readonly connects?: true
  /** Other versions of the kind that are accepted: ["policy/v1beta1"]. */
  readonly accepts?: readonly string[]
  /** Top-level fields that the subresource cannot change, and so nobody owns through it: ["status"]. */
  readonly keeps?: readonly string[]
  /** Puts back into `object`, which will be stored, what the subresource may not change. */
  readonly prepareForUpdate?: (object: any, old: any, context: StrategyContext) => void
  /** The checks of an update, where they are not in the resource's own order. */
  readonly updateChecks?: readonly UpdateCheck[]
}
