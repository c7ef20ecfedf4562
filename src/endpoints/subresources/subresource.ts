/** Subresources: status and scale, which many kinds have, and those that a kind declares for itself. */

import { checkBodyType } from '../../formats/body.js'
import type { Resource } from '../../registry/resource.js'
import type { SubresourceDefinition } from '../../registry/subresource.js'
import type { RequestContext } from '../../request/context.js'
import { loadSchema } from '../../schema/load.js'
import { methodNotAllowed, methodNotSupported } from '../../status/status.js'
import { own } from '../../util/json.js'
import { type Endpoint, type EndpointRequest, operationFor, requestedForm } from '../endpoint.js'
import { respondMade } from '../objects.js'
import { get } from '../read/get.js'
import { checkNamespace } from '../write/create.js'
import { decodeObject, internalPackage, maxBodyBytes } from '../write/decode-object.js'
import { writeOptions } from '../write/options.js'
import { patch } from '../write/patch.js'
import { update } from '../write/update.js'
import { connectOptions } from './connect-options.js'
import { scale } from './scale.js'

/** Throws 405 for a method that the subresource does not take. */
export function subresourceEndpoint(context: RequestContext, resource: Resource): Endpoint {
  const { subresource: name, verb } = context.info
  const definition = own(resource.kind.subresources, name)
  if (name === 'scale' && resource.kind.scale) return viewEndpoint(context, resource) && scale
  if (name === 'status' || definition?.prepareForUpdate) return viewEndpoint(context, resource)
  if (definition?.connect) {
    const asked = connectVerbs.get(context.request.method)
    if (asked && definition.verbs.includes(asked)) return connect
  } else if ((verb === 'get' && definition?.get) || (verb === 'create' && definition?.create)) return declared
  throw methodNotAllowed()
}

/** Subresources that show and change a part of the object itself. */
function viewEndpoint({ info }: RequestContext, { kind, groupResource }: Resource): Endpoint {
  const { verb, subresource } = info
  const verbs = own(kind.subresources, subresource)?.verbs
  if (verb === 'get' && (verbs?.includes('get') ?? true)) return get
  if (verb === 'update' && (verbs?.includes('update') ?? true)) return update
  if (verb === 'patch' && (verbs?.includes('patch') ?? true)) return patch
  throw kind.custom ? methodNotSupported(groupResource, verb) : methodNotAllowed()
}

/** Connections are one operation with any method that they take. HEAD and OPTIONS are taken where every method is. */
const connectVerbs: ReadonlyMap<string, SubresourceDefinition['verbs'][number]> = new Map([
  ['GET', 'get'],
  ['HEAD', 'update'],
  ['OPTIONS', 'update'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete']
])

const connect: Endpoint = async request => {
  const { context, resource } = request
  const definition = resource.kind.subresources![context.info.subresource]!
  const operation = operationFor(request, { dryRun: false, fieldManager: undefined })
  const options = connectOptions(definition, context)
  if (options) {
    const attributes = operation.attributes('CONNECT', context.info.name, options, undefined)
    await operation.admission.admit(attributes)
    await operation.admission.validate(attributes)
  }
  return definition.connect!(subject(context, operation, resource), context)
}

const declared: Endpoint = async request => {
  const { context, resource } = request
  const definition = resource.kind.subresources![context.info.subresource]!
  const form = requestedForm(request)
  if (context.info.verb === 'get') {
    const operation = operationFor(request, { dryRun: false, fieldManager: undefined })
    const found = await definition.get!(subject(context, operation, resource))
    return respondMade(context, form, found, internalType(definition), 200)
  }
  checkBodyType(context.header('content-type'))
  const bytes = await context.readBody(maxBodyBytes)
  const options = writeOptions(context.query, 'CreateOptions')
  const body = await decodeObject(
    context,
    bytes,
    { ...definition.kind, type: loadSchema().type(definition.type), accepts: definition.accepts },
    options.fieldValidation
  )
  checkNamespace(body.metadata, true, context.info.namespace)
  const operation = operationFor(request, options)
  await operation.admission.admit(operation.attributes('CREATE', context.info.name, body, undefined))
  const answer = (await definition.create!(subject(context, operation, resource), body)) as { code?: number }
  return respondMade(context, form, answer, internalType(definition), answer.code ?? 201)
}

const internalType = ({ kind }: SubresourceDefinition) => `${internalPackage(kind.group)}.${kind.kind}`

function subject(context: RequestContext, operation: ReturnType<typeof operationFor>, resource: EndpointRequest['resource']) {
  return {
    resource,
    namespace: context.info.namespace,
    name: context.info.name,
    context: operation,
    operation,
    query: context.query,
    judge: (object: unknown) => operation.admission.validate(operation.attributes('CREATE', context.info.name, object, undefined))
  }
}
