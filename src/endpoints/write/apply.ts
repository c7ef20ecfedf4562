/** PATCH with an applied configuration: server-side apply. */
import { emptyObject } from '../../fieldmanager/empty-object.js'
import { ViewError, withViews } from '../../fieldmanager/version-view.js'
import { largeBodyBytes } from '../../formats/body.js'
import { appliedTo } from '../../registry/write/apply.js'
import { update as store } from '../../registry/write/update.js'
import { conflict, plainError } from '../../status/status.js'
import { cloneJson } from '../../util/json.js'
import { type Endpoint, type EndpointRequest, operationFor, permitCreate, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { readConfiguration } from './apply-body.js'
import { checkNamespace } from './create.js'
import { maxBodyBytes } from './decode-object.js'
import { writeOptions } from './options.js'
import { recordPatch } from './record-request.js'
import { checkName } from './update.js'

/** Applies a configuration. Creates the object if it does not exist, except through a subresource. */
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
    checkNamespace(metadata, resource.namespaced, context.info.namespace)
    checkName(metadata.name, name)
  }
  const applied = async (live: any, current?: any) => {
    try {
      const object = await withViews(() => appliedTo(operation, live, config.value, options.force, check, current))
      config.checkDuplicates()
      return object
    } catch (error) {
      throw error instanceof ViewError ? plainError(error.message) : error
    }
  }
  const written = await store(operation, {
    name,
    tracksFields: true,
    permitCreate: () => permitCreate(request),
    compute: current =>
      version === resource.memoryVersion.name
        ? applied(current)
        : applied(resource.inVersion(cloneJson(current), version), current),
    create:
      operation.subresource !== ''
        ? undefined
        : async () => {
            const object = await applied({ ...identity(request), ...emptyObject(type) })
            const { uid } = object.metadata
            if (uid)
              throw conflict(
                operation.groupResource,
                name,
                `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
              )
            return object
          }
  })
  return respondStored(context, form, resource, written, services.clock.now(), written.created ? 201 : 200)
}

function identity({ context, resource }: EndpointRequest) {
  return { kind: resource.kind.kind, apiVersion: resource.apiVersion(context.info.version) }
}
