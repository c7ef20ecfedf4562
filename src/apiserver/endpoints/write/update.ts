import { cloneDecoded } from '../../../apimachinery/schema/decode.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import { update as store } from '../../../registry/write/update.js'
import { statusOf } from '../../../registry/write/validate-update.js'
import { type Endpoint, expectedKind, operationFor, permitCreate, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { checkNamespace } from './create.js'
import { decodeObject, maxBodyBytes } from './decode-object.js'
import { writeOptions } from './options.js'
import { recordObject } from './record-request.js'

/** PUT of an object or of its status. */
export const update: Endpoint = async request => {
  const { context, resource, services } = request
  const form = requestedForm(request)
  const body = await context.readBody(maxBodyBytes)
  const options = writeOptions(context.query, 'UpdateOptions')
  const object = await decodeObject(context, body, expectedKind(request), options.fieldValidation)
  const operation = operationFor(request, options)
  const { name } = context.info
  recordObject(context, operation, object)
  checkNamespace(object.metadata, resource.namespaced, operation.namespace)
  checkName(object.metadata.name, name)
  const stored = resource.toStorage(object, operation.version)
  resource.kind.strategy?.default?.(stored, operation)
  // every try of an update modifies the object, so each gets a copy; only the create may consume it
  const creates =
    operation.subresource === ''
      ? resource.kind.strategy?.allowCreateOnUpdate
      : operation.subresource === 'status' && statusOf(operation)?.creates === 'apply and put'
  const written = await store(operation, {
    name,
    compute: () => cloneDecoded(stored),
    create: creates ? () => stored : undefined,
    permitCreate: () => permitCreate(request),
    uidIsPrecondition: true
  })
  return respondStored(context, form, resource, written, services.clock.now(), written.created ? 201 : 200)
}

export function checkName(given: string | undefined, name: string): void {
  if (!given) throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`)
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`)
}
