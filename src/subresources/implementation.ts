/** What answers a subresource that is no view of its object, or a kind that is never stored. */
import type { Resource } from '../registry/resource.js'
import type { Operation } from '../registry/write/operation.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'

export interface SubresourceRequest {
  readonly resource: Resource
  readonly namespace: string
  /** The name of the object; "" for a kind that is never stored. */
  readonly name: string
  /** Who asks, and for the registry's create, update and delete. */
  readonly operation: Operation
  readonly query: URLSearchParams
  /** Runs validating admission on what is created: to be called when it is known to be valid. */
  validateAdmission(object: unknown): Promise<void>
}

export interface Implementation {
  /** Answers every method that the subresource takes, with what is no object (logs, streams, proxies). */
  connect?(request: SubresourceRequest, context: RequestContext): Promise<Response>
  /** Answers a POST with an object or a Status. */
  create?(request: SubresourceRequest, body: any): Promise<unknown>
  /** Answers a GET with an object. */
  get?(request: SubresourceRequest): Promise<unknown>
}
