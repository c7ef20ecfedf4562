/** Subresources: status and scale, which many kinds have, and those that a kind declares for itself. */

import { checkBodyType } from '../formats/body.js'
import type { Resource } from '../registry/resource.js'
import type { SubresourceDefinition } from '../registry/subresource.js'
import { loadSchema } from '../schema/load.js'
import type { RequestContext } from '../server/context.js'
import { methodNotAllowed, methodNotSupported } from '../server/status.js'
import { connectOptions } from './connect-options.js'
import { checkNamespace } from './create.js'
import { decodeObject, internalPackage, maxBodyBytes } from './decode-object.js'
import { type Endpoint, type EndpointRequest, operationFor, requestedForm } from './endpoint.js'
import { get } from './get.js'
import { respondMade } from './objects.js'
import { writeOptions } from './options.js'
import { patch } from './patch.js'
import { scale } from './scale.js'
import { update } from './update.js'

/** Throws 405 for a method that the subresource does not take. */
export function subresourceEndpoint(context: RequestContext, resource: Resource): Endpoint {
  const { subresource: name } = context.info
  const definition = resource.kind.subresources?.[name]
  if (name === 'scale' && resource.kind.scale) return viewEndpoint(context, resource) && scale
  if (name === 'status' || definition?.prepareForUpdate) return viewEndpoint(context, resource)
  const { method } = context.request
  if (definition!.connect) {
    if (definition!.verbs.includes(connectVerbs[method]!)) return connect
  } else if ((method === 'GET' && definition!.get) || (method === 'POST' && definition!.create)) return declared
  throw methodNotAllowed()
}

/** Subresources that show and change a part of the object itself. */
function viewEndpoint({ info, request: { method } }: RequestContext, { kind, groupResource }: Resource): Endpoint {
  const verbs = kind.subresources?.[info.subresource]?.verbs
  if (method === 'GET' && (verbs?.includes('get') ?? true)) return get
  if (method === 'PUT' && (verbs?.includes('update') ?? true)) return update
  if (method === 'PATCH' && (verbs?.includes('patch') ?? true)) return patch
  throw kind.custom ? methodNotSupported(groupResource, info.verb) : methodNotAllowed()
}

const connectVerbs: Record<string, SubresourceDefinition['verbs'][number]> = {
  GET: 'get',
  // taken where every method is
  HEAD: 'update',
  OPTIONS: 'update',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete'
}

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
  if (context.request.method === 'GET') {
    const operation = operationFor(request, { dryRun: false, fieldManager: undefined })
    const found = await definition.get!(subject(context, operation, resource))
    return respondMade(context, form, found, internalType(definition), 200)
  }
  checkBodyType(context.header('content-type'))
  const bytes = await context.request.readBody(maxBodyBytes)
  const options = writeOptions(context.query, 'CreateOptions')
  const body = decodeObject(
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
