/** Removes objects whose stored values cannot be read, with the option ignoreStoreReadErrorWithClusterBreakingPotential. */
import { aboutResource } from '../../../apimachinery/request/authorization.js'
import type { Response } from '../../../apimachinery/request/message.js'
import { conflict, forbidden, notFound, type StatusError, success } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { storageError, unreadableValue } from '../../../registry/unreadable.js'
import { commitDelete } from '../../../registry/write/commit.js'
import { type DeleteOptions, invalidDeleteOptions } from '../../../registry/write/delete-options.js'
import { type EndpointRequest, operationFor } from '../endpoint.js'
import { respondMade } from '../objects.js'

const option = 'ignoreStoreReadErrorWithClusterBreakingPotential'
const verb = 'unsafe-delete-ignore-read-errors'

/** Removes the object past admission, finalizers and preconditions, of which nothing is known. */
export async function removeUnreadable(
  request: EndpointRequest,
  form: Parameters<typeof respondMade>[1],
  options: DeleteOptions & { readonly dryRun: boolean }
): Promise<Response> {
  const { context, resource } = request
  const { namespace, name } = context.info
  context.record.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', '')
  await authorize(request)
  const operation = operationFor(request, { dryRun: options.dryRun, fieldManager: undefined }, options)
  for (;;) {
    const value = unreadableValue(resource, namespace, name)
    if (!value) throw resource.get(namespace, name) ? readable(request) : notFound(resource.groupResource, name)
    if (options.dryRun || (await commitDelete(operation, name, value.revision)) !== undefined) break
    operation.origin.throwIfAborted()
  }
  return respondMade(context, form, { ...success({ name, kind: resource.kind.kind }), code: 200 }, '', 200)
}

async function authorize({ context, resource, server: { services } }: EndpointRequest): Promise<void> {
  const { user, info } = context
  const { namespace, name, version } = info
  const { group } = resource
  const question = aboutResource({ user, verb, group, version, resource: resource.resource, namespace, name })
  const { allowed, reason, error } = await services.authorizer.authorize(question)
  if (allowed) return
  const why =
    error === undefined
      ? `not permitted to do "${verb}", reason: ${reason}`
      : `error while checking permission for "${verb}", ${error}`
  throw forbidden(resource.groupResource, name, why)
}

function readable({ context, resource }: EndpointRequest): StatusError {
  const { namespace, name } = context.info
  const why = 'unsafe deletion is not allowed because the object is decodable from storage'
  const key = resource.prefix + resource.key(namespace, name)
  return conflict(resource.groupResource, name, storageError('invalid object', 4, key, why))
}

export function notForCollections(): StatusError {
  const errors = new FieldErrors()
  errors.invalid(option, true, 'is not allowed with DELETECOLLECTION, try again after removing the option')
  return invalidDeleteOptions(errors)
}
