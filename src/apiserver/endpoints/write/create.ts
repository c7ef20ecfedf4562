import { checkBodyType } from '../../../apimachinery/formats/body.js'
import { internalPackage } from '../../../apimachinery/schema/registered.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import { dropDuplicateOwners } from '../../../registry/write/admitted-object.js'
import { create as store, track, wipeSystemFields } from '../../../registry/write/create.js'
import { nextTurn } from '../../../util/turns.js'
import { implementationOf } from '../../subresources/index.js'
import { type Endpoint, expectedKind, implementationRequest, operationFor, requestedForm } from '../endpoint.js'
import { respondMade, respondStored } from '../objects.js'
import { decodeObject, maxBodyBytes } from './decode-object.js'
import { writeOptions } from './options.js'
import { recordObject, recordQuestion } from './record-request.js'

export const create: Endpoint = async request => {
  const { context, resource, services } = request
  const form = requestedForm(request)
  checkBodyType(context, context.header('content-type'))
  const body = await context.readBody(maxBodyBytes)
  const options = writeOptions(context.query, 'CreateOptions')
  const object = await decodeObject(context, body, expectedKind(request), options.fieldValidation)
  const operation = operationFor(request, options)
  if (resource.kind.virtual) recordQuestion(context, object)
  else recordObject(context, operation, object)
  checkNamespace(object.metadata, resource.namespaced, operation.namespace)
  if (resource.kind.virtual) {
    wipeSystemFields(object.metadata)
    dropDuplicateOwners(object, operation, false)
    await track(operation, object)
    const { name = '' } = object.metadata
    await operation.admission.admit(operation.attributes('CREATE', name, object, undefined))
    const made = await implementationOf(resource.kind, '')!.create!(implementationRequest(request, operation, name), object)
    return respondMade(context, form, made, `${internalPackage(resource.group)}.${resource.kind.kind}`, 201)
  }
  if (operation.isLarge) await nextTurn()
  const stored = resource.toStorage(object, operation.version)
  resource.kind.strategy?.default?.(stored, operation)
  if (operation.isLarge) await nextTurn()
  const written = await store(operation, stored)
  return respondStored(context, form, resource, written, services.clock.now(), 201)
}

/** Fills in the path's namespace, and throws 400 for another one. Drops the namespace of a cluster-scoped object. */
export function checkNamespace(meta: { namespace?: string | undefined }, namespaced: boolean, namespace: string): void {
  if (!namespaced) delete meta.namespace
  else if (!meta.namespace) meta.namespace = namespace
  else if (meta.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}
