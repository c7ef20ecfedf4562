/** The request that every verb's endpoint receives. */

import { managerName } from '../../apimachinery/fieldmanager/managed-fields.js'
import type { NegotiationOptions, OutputForm } from '../../apimachinery/formats/negotiate.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { internalError } from '../../apimachinery/status/status.js'
import { refusal } from '../../auth/authorization/refusal.js'
import { attributesOf } from '../../auth/authorization/stage.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import type { Admission } from '../../registry/write/admission.js'
import type { DeleteOptions } from '../../registry/write/delete-options.js'
import { Operation } from '../../registry/write/operation.js'
import type { SubresourceRequest } from '../subresources/implementation.js'
import { outputForm } from './respond.js'
import type { WatchFrames } from './watch/frames.js'
import type { WatchBudget } from './watch/watch-budget.js'
import type { WatchMetrics } from './watch/watch-metrics.js'
import type { Expected } from './write/decode-object.js'
import type { WriteOptions } from './write/options.js'

/** What a server gives to every request. */
export interface EndpointServer {
  readonly services: Services
  readonly admission: Admission
  /** The frames that the server's watchers share. */
  readonly frames: WatchFrames
  readonly watchMetrics: WatchMetrics
  /** What watches may keep of their requests. */
  readonly watchBudget: WatchBudget
  /** Ends watches when the server stops. */
  readonly stopping: AbortSignal
  /** Milliseconds after which a watch without timeoutSeconds ends; up to as long again. */
  readonly minWatchMs: number
}

export interface EndpointRequest {
  readonly context: RequestContext
  readonly resource: Resource
  readonly server: EndpointServer
}

export type Endpoint = (request: EndpointRequest) => Response | Promise<Response>

/** Negotiates the form of the answer. Throws 406. */
export function requestedForm({ context, resource }: EndpointRequest, options: NegotiationOptions = {}): OutputForm {
  if (resource.kind.custom) return outputForm(context, { ...options, transforms: true, protobuf: false })
  return outputForm(context, { ...options, transforms: true, tables: hasTables(context, resource) })
}

/** Whether answers have columns: reviews, subresources that a kind declares for itself, and some statuses have none. */
function hasTables({ info: { subresource } }: RequestContext, { kind }: Resource): boolean {
  if (kind.virtual || kind.subresources?.others?.[subresource]) return false
  return subresource !== 'status' || typeof kind.subresources?.status !== 'object' || kind.subresources.status.columns !== false
}

export function expectedKind({ context, resource, server }: EndpointRequest): Expected {
  const { version } = context.info
  const { group } = resource
  const expected = { group, version, kind: resource.kind.kind, type: resource.type(version) }
  if (!resource.kind.custom) return expected
  return { ...expected, typeOf: other => server.services.registry.find(group, other, resource.resource)?.type(other) }
}

export function operationFor(
  { context, resource, server }: EndpointRequest,
  options: Pick<WriteOptions, 'dryRun' | 'fieldManager'>,
  deleteOptions?: DeleteOptions
): Operation {
  return new Operation(
    {
      resource,
      version: context.info.version,
      namespace: context.info.namespace,
      request: context.info,
      subresource: context.info.subresource,
      user: context.user,
      dryRun: options.dryRun,
      query: context.query,
      deleteOptions,
      manager: managerName(options.fieldManager, context.header('user-agent')),
      origin: context
    },
    server.services,
    server.admission
  )
}

/** Returns the request that subresources and kinds that are never stored receive. `name` is the name of the admitted object. */
export function implementationRequest(
  { context, resource }: EndpointRequest,
  operation: Operation,
  name: string
): SubresourceRequest {
  return {
    resource,
    namespace: context.info.namespace,
    name: context.info.name,
    operation,
    query: context.query,
    validateAdmission: object => operation.admission.validate(operation.attributes('CREATE', name, object, undefined))
  }
}

/** Throws 403, or 500 when nobody could decide, unless the user may also create: permission to update or patch does not include it. */
export async function permitCreate({ context, server }: EndpointRequest): Promise<void> {
  const attributes = { ...attributesOf(context), verb: 'create' }
  const { allowed, reason, error } = await server.services.authorizer.authorize(attributes)
  if (allowed) return
  throw error === undefined ? refusal(attributes, reason) : internalError(error)
}
