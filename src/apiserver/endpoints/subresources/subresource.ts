/** The endpoints of subresources: status and scale, which many kinds have, and those that a kind declares for itself. */

import type { RequestContext } from '../../../apimachinery/request/context.js'
import { internalPackage } from '../../../apimachinery/schema/registered.js'
import { methodNotAllowed, methodNotSupported } from '../../../apimachinery/status/status.js'
import type { Resource } from '../../../registry/resource.js'
import type { SubresourceDefinition } from '../../../registry/subresource.js'
import { own } from '../../../util/json.js'
import { implementationOf } from '../../subresources/index.js'
import { type Endpoint, implementationRequest, operationFor, requestedForm } from '../endpoint.js'
import { respondMade } from '../objects.js'
import { get } from '../read/get.js'
import { patch } from '../write/patch.js'
import { subresourceBody } from '../write/question.js'
import { update } from '../write/update.js'
import { connectOptions } from './connect-options.js'
import { scale } from './scale.js'

/** Finds the endpoint of a subresource. Throws 405 for a method that the subresource does not support. */
export function subresourceEndpoint(context: RequestContext, resource: Resource): Endpoint {
  const { subresource: name, verb } = context.info
  const definition = own(resource.kind.subresources?.others, name)
  const implementation = definition && implementationOf(resource.kind, name)
  if (name === 'scale' && resource.kind.subresources?.scale) return viewEndpoint(context, resource) && scale
  if (name === 'status' || definition?.prepareForUpdate) return viewEndpoint(context, resource)
  if (definition?.connects) {
    const asked = connectVerbs.get(context.request.method)
    if (asked && definition.verbs.includes(asked)) return connection
  } else if (verb === 'get' && implementation?.get) return implementedGet
  else if (verb === 'create' && implementation?.create) return subresourceBody
  throw methodNotAllowed()
}

/** Finds the endpoint of a subresource that shows and changes a part of the object itself. */
function viewEndpoint({ info }: RequestContext, { kind, groupResource }: Resource): Endpoint {
  const { verb, subresource } = info
  const verbs = own(kind.subresources?.others, subresource)?.verbs
  if (verb === 'get' && (verbs?.includes('get') ?? true)) return get
  if (verb === 'update' && (verbs?.includes('update') ?? true)) return update
  if (verb === 'patch' && (verbs?.includes('patch') ?? true)) return patch
  throw kind.custom ? methodNotSupported(groupResource, verb) : methodNotAllowed()
}

/** The declared verb that permits each method of a connection. HEAD and OPTIONS are permitted where every method is. */
const connectVerbs: ReadonlyMap<string, SubresourceDefinition['verbs'][number]> = new Map([
  ['GET', 'get'],
  ['HEAD', 'update'],
  ['OPTIONS', 'update'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete']
])

const connection: Endpoint = async request => {
  const { context, resource } = request
  const definition = resource.kind.subresources!.others![context.info.subresource]!
  const operation = operationFor(request, { dryRun: false, fieldManager: undefined })
  const options = connectOptions(definition, context)
  if (options) {
    const attributes = operation.attributes('CONNECT', context.info.name, options, undefined)
    await operation.admission.admit(attributes)
    await operation.admission.validate(attributes)
  }
  const { connect } = implementationOf(resource.kind, context.info.subresource)!
  return connect!(implementationRequest(request, operation, context.info.name), context)
}

const implementedGet: Endpoint = async request => {
  const { context, resource } = request
  const { kind } = resource.kind.subresources!.others![context.info.subresource]!
  const form = requestedForm(request)
  const operation = operationFor(request, { dryRun: false, fieldManager: undefined })
  const { get: answer } = implementationOf(resource.kind, context.info.subresource)!
  const found = await answer!(implementationRequest(request, operation, context.info.name))
  return respondMade(context, form, found, `${internalPackage(kind.group)}.${kind.kind}`, 200)
}
