/** Subresources: status and scale, which many kinds have, and those that a kind declares for itself. */

import { checkBodyType } from '../formats/body.js'
import type { Resource } from '../registry/resource.js'
import type { SubresourceDefinition } from '../registry/subresource.js'
import { loadSchema } from '../schema/load.js'
import type { RequestContext } from '../server/context.js'
import { methodNotAllowed, methodNotSupported } from '../server/status.js'
import { own } from '../util/json.js'
import { connectOptions } from './connect-options.js'
import { checkNamespace } from './create.js'
import { decodeObject, maxBodyBytes } from './decode-object.js'
import { type Endpoint, type EndpointRequest, operationFor, requestedForm } from './endpoint.js'
import { get } from './get.js'
import { writeOptions } from './options.js'
import { patch } from './patch.js'
import { respondObject } from './respond.js'
import { scale } from './scale.js'
import { update } from './update.js'

export const subresource: Endpoint = request => {
  const { context, resource } = request
  const { subresource: name } = context.info
  if (name === 'scale' && resource.kind.scale) return scale(request)
  const partOfObject = name === 'status' || own(resource.kind.subresources, name)?.prepareForUpdate !== undefined
  return partOfObject ? viewOfObject(request)(request) : declared(request)
}

/** Subresources that show and change a part of the object itself. */
function viewOfObject({ context, resource }: EndpointRequest): Endpoint {
  const { verb, subresource } = context.info
  const verbs = resource.kind.subresources?.[subresource]?.verbs
  if (verb === 'get' && (verbs?.includes('get') ?? true)) return get
  if (verb === 'update' && (verbs?.includes('update') ?? true)) return update
  if (verb === 'patch' && (verbs?.includes('patch') ?? true)) return patch
  throw unsupported(context, resource)
}

export const unsupported = ({ info }: RequestContext, { kind, groupResource }: Resource) =>
  kind.custom ? methodNotSupported(groupResource, info.verb) : methodNotAllowed()

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

async function declared(request: EndpointRequest) {
  const { context, resource } = request
  const definition = resource.kind.subresources![context.info.subresource]!
  const { verb } = context.info
  if (definition.connect) {
    const asked = connectVerbs.get(context.request.method)
    if (!asked || !definition.verbs.includes(asked)) throw methodNotAllowed()
    const operation = operationFor(request, { dryRun: false, fieldManager: undefined })
    const options = connectOptions(definition, context)
    if (options) {
      const attributes = operation.attributes('CONNECT', context.info.name, options, undefined)
      await operation.admission.admit(attributes)
      await operation.admission.validate(attributes)
    }
    return definition.connect(subject(context, operation, resource), context)
  }
  const form = requestedForm(request)
  if (verb === 'get' && definition.get) {
    const operation = operationFor(request, { dryRun: false, fieldManager: undefined })
    return respondObject(form, await definition.get(subject(context, operation, resource)))
  }
  if (verb !== 'create' || !definition.create) throw methodNotAllowed()
  checkBodyType(context.header('content-type'))
  const bytes = await context.request.readBody(maxBodyBytes)
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
  const answer = (await definition.create(subject(context, operation, resource), body)) as { code?: number }
  return respondObject(form, answer, answer.code ?? 201)
}

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
