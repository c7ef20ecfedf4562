/** PATCH with an applied configuration: server-side apply. */
import { attributesOf, refusal } from '../authorization/stage.js'
import { type Applied, applyConfiguration } from '../fieldmanager/apply.js'
import { emptyObject } from '../fieldmanager/empty-object.js'
import { fieldSet } from '../fieldmanager/field-set.js'
import type { FieldTree } from '../fieldmanager/fields-v1.js'
import { kubectl, updateAnnotation } from '../fieldmanager/last-applied.js'
import { placeOf } from '../fieldmanager/place.js'
import { MissingVersionError, withViews } from '../fieldmanager/version-view.js'
import type { Operation } from '../registry/operation.js'
import { resetFields } from '../registry/reset-fields.js'
import { update as store } from '../registry/update.js'
import { cloneDecoded, DecodeError, decode } from '../schema/decode.js'
import type { StructType } from '../schema/model.js'
import { badRequest, conflict, plainError } from '../server/status.js'
import { cloneJson, type JsonObject } from '../util/json.js'
import { timestamp } from '../util/time.js'
import { readConfiguration } from './apply-body.js'
import { checkNamespace } from './create.js'
import { type Endpoint, type EndpointRequest, operationFor } from './endpoint.js'
import { respondStored } from './objects.js'
import { type WriteOptions, writeOptions } from './options.js'
import { outputForm } from './respond.js'
import { checkName } from './update.js'

export const applyType = 'application/apply-patch+yaml'

/** Creates the object when there is none yet, but not through a subresource. */
export const apply: Endpoint = async request => {
  const { context, resource, services } = request
  const options = writeOptions(context.query, 'PatchOptions', true)
  const form = outputForm(context, { transforms: true })
  const config = await readConfiguration(context, options.fieldValidation)
  const operation = operationFor(request, options)
  const { name, version } = context.info
  const type = resource.type(version)
  const applied = async (live: any) => {
    try {
      return await withViews(() => result(request, operation, options, live, config))
    } catch (error) {
      throw error instanceof MissingVersionError ? plainError(error.message) : error
    }
  }
  const written = await store(operation, {
    name,
    tracksFields: true,
    compute: current =>
      applied(version === resource.storageVersion.name ? current : resource.inVersion(cloneJson(current), version)),
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
            await mayCreate(request)
            return object
          }
  })
  return respondStored(context, form, resource, written, services.clock.now(), written.created ? 201 : 200)
}

function identity({ context, resource }: EndpointRequest) {
  return { kind: resource.kind.kind, apiVersion: resource.apiVersion(context.info.version) }
}

/** The object to store: what the configuration makes of the present one, with its managedFields. */
function result(request: EndpointRequest, operation: Operation, options: WriteOptions, live: any, config: JsonObject): any {
  const { context, resource } = request
  const { version, name } = context.info
  const type = resource.type(version)
  const fields = checkedFields(type, resource.apiVersion(version), resource.kind.kind, config)
  const applied = applyConfiguration({
    type,
    live,
    config,
    fields,
    manager: operation.manager,
    now: timestamp(operation.now),
    force: options.force,
    reset: resetFields(operation),
    views: other => resource.view(other, version)
  })
  const object = decoded(type, live, applied)
  if (operation.manager.name === kubectl) updateAnnotation(object, config)
  // only a version that the configuration names is a condition
  if (!(config.metadata as { resourceVersion?: unknown } | undefined)?.resourceVersion) delete object.metadata.resourceVersion
  checkName(object.metadata.name, name)
  checkNamespace(object.metadata, resource.namespaced, context.info.namespace)
  const stored = resource.toStorage(object, version)
  if (applied.object !== undefined) {
    const { kind } = resource
    if (kind.defaultApplied) kind.defaultApplied(stored)
    else kind.default?.(stored, operation)
  }
  return stored
}

/** What the configuration names. Throws when it is not of the type, or when there is none for it. */
export function checkedFields(type: StructType | undefined, apiVersion: string, kind: string, config: JsonObject): FieldTree {
  if (config.apiVersion !== apiVersion || config.kind !== kind)
    throw badRequest(`invalid object type: ${kindText(config.apiVersion, config.kind)}`)
  const metadata = (config.metadata ?? {}) as { managedFields?: unknown }
  if ((metadata.managedFields ?? null) !== null) throw badRequest('metadata.managedFields must be nil')
  if (!type) throw untyped(config, `no corresponding type for ${kindText(apiVersion, kind)}`)
  const { fields, problems } = fieldSet(placeOf(type), config)
  if (problems.length === 0) return fields
  const what = problems.length === 1 ? problems[0] : `errors:\n${problems.map(problem => `  ${problem}`).join('\n')}`
  throw untyped(config, what!)
}

function untyped({ apiVersion, kind, metadata }: JsonObject, why: string) {
  const { namespace, name } = (metadata ?? {}) as { name?: unknown; namespace?: unknown }
  const part = (value: unknown) => (typeof value === 'string' ? value : '')
  return plainError(
    `failed to create typed patch object (${part(namespace)}/${part(name)}; ${kindText(apiVersion, kind)}): ${why}`
  )
}

/** "apps/v1, Kind=Deployment", "/v1, Kind=Pod" */
function kindText(apiVersion: unknown, kind: unknown): string {
  const text = typeof apiVersion === 'string' ? apiVersion : ''
  return `${text.includes('/') ? text : `/${text}`}, Kind=${typeof kind === 'string' ? kind : ''}`
}

/** The applied object as its type, with its managedFields. */
export function decoded(type: StructType, live: any, { object, managedFields }: Applied): any {
  let out: any
  try {
    out = object === undefined ? cloneDecoded(live) : decode(type, object).object
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    throw plainError(
      `failed to convert new object (${live.metadata.namespace ?? ''}/${live.metadata.name ?? ''}; ${kindText(live.apiVersion, live.kind)}) to proper version: ${error.message}`
    )
  }
  if (managedFields.length > 0) out.metadata.managedFields = managedFields
  else delete out.metadata.managedFields
  return out
}

async function mayCreate({ context, services }: EndpointRequest): Promise<void> {
  const attributes = { ...attributesOf(context), verb: 'create' }
  const { allowed, reason } = await services.authorizer.authorize(attributes)
  if (!allowed) throw refusal(attributes, reason)
}
