/** What every verb's endpoint is given. */

import { refusal } from '../authorization/refusal.js'
import { attributesOf } from '../authorization/stage.js'
import { managerName } from '../fieldmanager/managed-fields.js'
import type { NegotiationOptions, OutputForm } from '../formats/negotiate.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { DeleteOptions } from '../registry/write/delete-options.js'
import { Operation } from '../registry/write/operation.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import type { SubresourceRequest } from '../subresources/implementation.js'
import { outputForm } from './respond.js'
import type { WatchFrames } from './watch/frames.js'
import type { Expected } from './write/decode-object.js'
import type { WriteOptions } from './write/options.js'

export interface EndpointRequest {
  readonly context: RequestContext
  readonly resource: Resource
  readonly services: Services
  readonly admission: Admission
  /** What the server's watchers share. */
  readonly frames: WatchFrames
  /** Ends watches when the server stops. */
  readonly stopping: AbortSignal
}

export type Endpoint = (request: EndpointRequest) => Response | Promise<Response>

/** The form that a client wants its answer in. Throws 406. */
export function requestedForm({ context, resource }: EndpointRequest, options: NegotiationOptions = {}): OutputForm {
  if (resource.kind.custom) return outputForm(context, { ...options, transforms: true, protobuf: false })
  return outputForm(context, { ...options, transforms: true, tables: hasTables(context, resource) })
}

/** Reviews, and most subresources that are no plain views of the object, have no columns. */
function hasTables({ info: { subresource } }: RequestContext, { kind }: Resource): boolean {
  if (kind.virtual || kind.subresources?.others?.[subresource]) return false
  return subresource !== 'status' || typeof kind.subresources?.status !== 'object' || kind.subresources.status.columns !== false
}

export function expectedKind({ context, resource, services }: EndpointRequest): Expected {
  const { version } = context.info
  const { group } = resource
  const expected = { group, version, kind: resource.kind.kind, type: resource.type(version) }
  if (!resource.kind.custom) return expected
  return { ...expected, typeOf: other => services.registry.find(group, other, resource.resource)?.type(other) }
}

export function operationFor(
  { context, resource, services, admission }: EndpointRequest,
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
    services,
    admission
  )
}

/** The request as implementations of subresources, and of kinds that are never stored, see it. `name` is the admitted object's. */
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

/** Who may change an object does not thereby bring it into being. */
export async function permitCreate({ context, services }: EndpointRequest): Promise<void> {
  const attributes = { ...attributesOf(context), verb: 'create' }
  const { allowed, reason } = await services.authorizer.authorize(attributes)
  if (!allowed) throw refusal(attributes, reason)
}
