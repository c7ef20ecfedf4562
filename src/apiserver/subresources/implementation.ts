/** Interfaces for subresources that are not a part of their object, and for kinds that are never stored. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Resource } from '../../registry/resource.js'
import type { Operation } from '../../registry/write/operation.js'

export interface SubresourceRequest {
  readonly resource: Resource
  readonly namespace: string
  /** The name of the object; "" for a kind that is never stored. */
  readonly name: string
  /** The user of the request, and the operation for the registry's create, update and delete. */
  readonly operation: Operation
  readonly query: URLSearchParams
  /** Runs validating admission on the created object. Call it after validation. */
  validateAdmission(object: unknown): Promise<void>
}

export interface Implementation {
  /** Answers every method of the subresource with something other than an object (logs, streams, proxies). */
  connect?(request: SubresourceRequest, context: RequestContext): Promise<Response>
  /** Fills in the defaults of a posted object. */
  default?(body: any): void
  /** Answers a POST with an object or a Status. */
  create?(request: SubresourceRequest, body: any): Promise<unknown>
  /** Answers a GET with an object. */
  get?(request: SubresourceRequest): Promise<unknown>
}
