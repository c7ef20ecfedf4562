/** Subresources other than status and scale: what a kind's file says of one. */
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import type { Resource } from './resource.js'
import type { StrategyContext } from './strategy-context.js'
import type { Operation } from './write/operation.js'

export interface SubresourceRequest {
  readonly resource: Resource
  readonly namespace: string
  readonly name: string
  readonly context: StrategyContext
  /** For writing: the registry's create, update and delete take it. */
  readonly operation: Operation
  readonly query: URLSearchParams
  /** Validating admission of what is created: asked once it is known to be valid. */
  judge(object: unknown): Promise<void>
}

export interface SubresourceDefinition {
  /** As discovery lists it: the kind that is sent and answered. */
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  /** Its type in the schema: "policy.v1.Eviction". */
  readonly type: string
  readonly verbs: readonly ('create' | 'delete' | 'get' | 'patch' | 'update')[]
  /** Other versions of the kind that are taken: ["policy/v1beta1"]. */
  readonly accepts?: readonly string[]
  /** Instead of the functions below: answers every method among `verbs` with what is no object (logs, streams, proxies). */
  connect?(request: SubresourceRequest, context: RequestContext): Promise<Response>
  /** POST: the answer is an object or a Status. */
  create?(request: SubresourceRequest, body: any): Promise<unknown>
  get?(request: SubresourceRequest): Promise<unknown>
  /**
   * PUT and PATCH of subresources that show a part of the object itself (ephemeralcontainers, resize, approval): takes over
   * what the subresource may change from `object` into what will be stored. Returns nothing.
   */
  /** Top fields of the object that the subresource cannot change, and so nobody owns through it: ["status"]. */
  readonly keeps?: readonly string[]
  prepareForUpdate?(object: any, old: any, context: StrategyContext): void
}
