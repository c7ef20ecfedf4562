/** PATCH with an applied configuration: server-side apply. */
import { emptyObject } from '../../../apimachinery/fieldmanager/empty-object.js'
import { ViewError, withViews } from '../../../apimachinery/fieldmanager/version-view.js'
import { largeBodyBytes } from '../../../apimachinery/formats/body.js'
import { conflict, plainError } from '../../../apimachinery/status/status.js'
import { appliedTo } from '../../../registry/write/apply.js'
import { update as store } from '../../../registry/write/update.js'
import { statusOf } from '../../../registry/write/validate-update.js'
import { cloneJson } from '../../../util/json.js'
import { type Endpoint, type EndpointRequest, operationFor, permitCreate, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { readConfiguration } from './apply-body.js'
import { checkNamespace } from './create.js'
import { maxBodyBytes } from './decode-object.js'
import { writeOptions } from './options.js'
import { recordPatch } from './record-request.js'
import { checkName } from './update.js'

/** Applies a configuration. Creates the object if it does not exist, except through most subresources. */
export const apply: Endpoint = async request => {
  const { context, resource, services } = request
  const form = requestedForm(request)
  const body = await context.readBody(maxBodyBytes)
  const options = writeOptions(context.query, 'PatchOptions', true)
  recordPatch(context, body)
  const config = await readConfiguration(request, body, options.fieldValidation)
  context.isLarge = body.length > largeBodyBytes
  const operation = operationFor(request, options)
  const { name, version } = context.info
  const type = resource.type(version)
  const check = ({ metadata }: any) => {
    config.checkDuplicates()
    checkNamespace(metadata, resource.namespaced, context.info.namespace)
    checkName(metadata.name, name)
  }
  const applied = async (live: any, isLarge: boolean, current?: any, checkObject = check) => {
    try {
      return await withViews(() => appliedTo(operation, live, config.value, options.force, checkObject, current), isLarge)
    } catch (error) {
      throw error instanceof ViewError ? plainError(error.message) : error
    }
  }
  const written = await store(operation, {
    name,
    tracksFields: true,
    permitCreate: () => permitCreate(request),
    compute: (current, isLarge) =>
      version === resource.memoryVersion.name
        ? applied(current, isLarge)
        : applied(resource.inVersion(cloneJson(current), version), isLarge, current),
    create:
      operation.subresource !== '' && !(operation.subresource === 'status' && statusOf(operation)?.creates)
        ? undefined
        : async () => {
            // what has a uid cannot be created, whatever its name
            const checkNew = (object: any) => {
              const { uid } = object.metadata
              if (!uid) return check(object)
              config.checkDuplicates()
              const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
              throw conflict(operation.groupResource, name, why)
            }
            return applied({ ...identity(request), ...emptyObject(type) }, context.isLarge, undefined, checkNew)
          }
  })
  return respondStored(context, form, resource, written, services.clock.now(), written.created ? 201 : 200)
}

function identity({ context, resource }: EndpointRequest) {
  return { kind: resource.kind.kind, apiVersion: resource.apiVersion(context.info.version) }
}
