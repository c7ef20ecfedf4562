/** The scale subresource: shows and writes a workload's own fields as an autoscaling/v1 Scale. */

import { applyConfiguration } from '../../../apimachinery/fieldmanager/apply.js'
import { entriesAfterScale, entriesOfScale, trackScale } from '../../../apimachinery/fieldmanager/scale.js'
import type { Column } from '../../../apimachinery/formats/column.js'
import type { OutputForm } from '../../../apimachinery/formats/negotiate.js'
import { includeOption, toTable } from '../../../apimachinery/formats/table.js'
import type { Response } from '../../../apimachinery/request/message.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { badRequest, conflict, internalError, notFound, plainError, StatusError } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { invalidObject } from '../../../apimachinery/validation/invalid.js'
import { validateObjectMeta } from '../../../apimachinery/validation/object-meta.js'
import { builtinColumns } from '../../../kinds/columns.js'
import type { Resource } from '../../../registry/resource.js'
import { noReplicas, rememberScale, scaleApiVersion, scaleOf } from '../../../registry/scale.js'
import { dropDuplicateOwners } from '../../../registry/write/admitted-object.js'
import { checkedFields, decoded, unconvertible } from '../../../registry/write/apply.js'
import type { Operation } from '../../../registry/write/operation.js'
import { checkResourceVersion, update as store, wrongUid } from '../../../registry/write/update.js'
import { cloneJson } from '../../../util/json.js'
import { timestamp } from '../../../util/time.js'
import { type Endpoint, type EndpointRequest, operationFor, requestedForm } from '../endpoint.js'
import { respondMade } from '../objects.js'
import { respondObject } from '../respond.js'
import { readConfiguration } from '../write/apply-body.js'
import { checkNamespace } from '../write/create.js'
import { maxBodyBytes, readObject } from '../write/decode-object.js'
import { type WriteOptions, writeOptions } from '../write/options.js'
import { readPatch } from '../write/patch.js'
import { isApplyType, patchTypeOf } from '../write/patch-type.js'
import { makePatcher, type Patcher } from '../write/patcher.js'
import { recordPatch, recordQuestion } from '../write/record-request.js'
import { checkName } from '../write/update.js'

const scaleKind = { group: 'autoscaling', kind: 'Scale' }
const scaleType = () => loadSchema().type('autoscaling.v1.Scale')

export const scale: Endpoint = async request => {
  const { context, resource } = request
  const form = requestedForm(request)
  if (form.transform === 'Table') includeOption(context)
  const { namespace, name, verb } = context.info
  if (verb === 'get') {
    const found = resource.get(namespace, name)
    if (!found) throw notFound(resource.groupResource, name)
    const object = resource.parse(found)
    const why = resource.kind.subresources!.scale!.whyUnreadable?.(object)
    if (why !== undefined) throw internalError(why)
    return respond(request, form, scaleOf(resource, object))
  }
  const isApply = verb === 'patch' && isApplyType(patchTypeOf(context, resource))
  const options = writeOptions(context.query, verb === 'update' ? 'UpdateOptions' : 'PatchOptions', isApply)
  const operation = operationFor(request, options)
  const compute = isApply ? await appliedScale(request, operation, options) : await wantedScale(request, operation)
  const written = await store(operation, { name, tracksFields: true, compute: current => compute(cloneJson(current)) })
  return respond(request, form, scaleOf(resource, written.object))
}

function respond({ context, services, resource }: EndpointRequest, form: OutputForm, scale: any): Response {
  if (form.transform !== 'Table') return respondMade(context, form, scale, 'autoscaling.Scale', 200)
  const { resourceVersion } = scale.metadata
  const options = { context, form, now: services.clock.now(), metadata: { resourceVersion } }
  return respondObject(form, toTable({ kind: { table: { columns: scaleColumns(resource) } } }, [scale], options))
}

/** Returns the columns of a Scale, whose descriptions differ for custom resources. */
function scaleColumns({ kind: { custom } }: Resource): readonly Column<any>[] {
  const [name, age] = builtinColumns<any>('serviceaccounts', {}) as [Column<any>, Column<any>]
  return [
    custom ? name : { ...name, format: '' },
    {
      name: 'Desired',
      type: 'integer',
      description: custom ? 'Number of desired replicas' : 'replicas is the desired number of instances for the scaled object.',
      value: o => o.spec.replicas ?? 0
    },
    {
      name: 'Available',
      type: 'integer',
      description: custom
        ? 'Number of actual replicas'
        : 'replicas is the actual number of observed instances of the scaled object.',
      value: o => o.status.replicas
    },
    custom ? { ...age, type: 'date' } : age
  ]
}

/** Computes the new object from the current one, which it may modify. */
type Compute = (current: any) => any

/**
 * Sets a Scale's replicas on the object. Throws 409 if the Scale names a resource version or uid other than the current one, and
 * 422 if the Scale is invalid. `replaces`: the client sent the whole Scale (PUT).
 */
function scaled(resource: Resource, operation: Operation, current: any, wanted: any, replaces: boolean): any {
  const { name, uid, resourceVersion } = current.metadata
  const replicas = wanted.spec.replicas ?? 0
  dropDuplicateOwners(wanted, operation, false)
  if (!resource.kind.custom) {
    const errors = new FieldErrors()
    validateObjectMeta(scaleKind, wanted, errors)
    if (replicas < 0) errors.invalid('spec.replicas', replicas, 'must be greater than or equal to 0')
    if (errors.any) throw invalidObject(scaleKind, name, errors)
  }
  if (wanted.metadata.uid && wanted.metadata.uid !== uid) {
    if (replaces) throw wrongUid(operation, name, wanted.metadata.uid, uid)
    const { group, resource: plural } = operation.groupResource
    const why = `Precondition failed: UID in precondition: ${wanted.metadata.uid}, UID in object meta: ${uid ?? ''}`
    throw conflict({ group, resource: `${plural}/scale` }, name, why)
  }
  checkResourceVersion(operation, name, wanted.metadata.resourceVersion, resourceVersion, true)
  resource.kind.subresources!.scale!.setReplicas(current, replicas)
  rememberScale(current, wanted)
  return current
}

async function appliedScale(request: EndpointRequest, operation: Operation, options: WriteOptions): Promise<Compute> {
  const { context, resource } = request
  const body = await context.readBody(maxBodyBytes)
  recordPatch(context, body)
  const { value: config, checkDuplicates } = await readConfiguration(request, body, options.fieldValidation)
  const type = scaleType()
  return current => {
    const { managedFields = [] } = current.metadata
    const { replicasPlace, whyUnreadable } = resource.kind.subresources!.scale!
    const live = scaleOf(resource, current)
    if (whyUnreadable?.(current) !== undefined) live.spec.replicas = noReplicas
    live.metadata.managedFields = entriesOfScale(managedFields, scaleApiVersion, replicasPlace)
    // kube-apiserver's field manager for custom resources tries to convert the Scale as a custom resource, and fails
    const why = 'request to convert CR to an invalid group/version: autoscaling/v1'
    const { custom } = resource.kind
    if (custom && live.metadata.managedFields.length === 0)
      throw plainError(
        `failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: ${why}`
      )
    const fields = checkedFields(type, scaleApiVersion, 'Scale', config)
    const manager = { ...operation.manager, apiVersion: scaleApiVersion }
    const applied = applyConfiguration({
      type,
      live,
      config,
      fields,
      manager,
      now: timestamp(operation.now),
      force: options.force
    })
    if (custom && applied.object !== undefined) throw unconvertible(config, why)
    const wanted = decoded(type, live, config, applied)
    checkNamespace(wanted.metadata, resource.namespaced, context.info.namespace)
    checkName(wanted.metadata.name, context.info.name)
    const { apiVersion } = operation.manager
    current.metadata.managedFields = entriesAfterScale(managedFields, applied.managedFields, apiVersion, replicasPlace)
    checkDuplicates()
    return scaled(resource, operation, current, wanted, false)
  }
}

async function wantedScale(request: EndpointRequest, operation: Operation): Promise<Compute> {
  const { resource } = request
  const wanted = await sentScale(request)
  return current => {
    const { replicas, replicasPlace, whyUnreadable } = resource.kind.subresources!.scale!
    const before = replicas(current)
    const scale = scaleOf(resource, current)
    if (whyUnreadable?.(current) !== undefined) scale.spec.replicas = noReplicas
    const shown = entriesOfScale(current.metadata.managedFields ?? [], scaleApiVersion, replicasPlace)
    if (shown.length > 0) scale.metadata.managedFields = shown
    const object = scaled(resource, operation, current, wanted(scale), request.context.info.verb === 'update')
    const { metadata } = object
    if (metadata.managedFields)
      metadata.managedFields = trackScale(metadata.managedFields, operation.manager, before, replicas(object), replicasPlace)
    return object
  }
}

/** Reads the body. Returns a function that computes the new Scale from the current one. */
async function sentScale(request: EndpointRequest): Promise<(current: any) => any> {
  const { context } = request
  const { verb } = context.info
  if (verb === 'update') {
    const options = writeOptions(context.query, 'UpdateOptions')
    const expected = { group: 'autoscaling', version: 'v1', kind: 'Scale', type: scaleType() }
    const object = await readObject(context, expected, options.fieldValidation).catch(error => {
      // kube-apiserver's scheme for custom resources does not know Scale, so its error cannot name the kind
      if (!request.resource.kind.custom || !(error instanceof StatusError) || error.code !== 400) throw error
      throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"')
    })
    recordQuestion(context, object)
    checkNamespace(object.metadata, request.resource.namespaced, context.info.namespace)
    checkName(object.metadata.name, context.info.name)
    return () => object
  }
  const mediaType = patchTypeOf(context, request.resource)
  const options = writeOptions(context.query, 'PatchOptions')
  const body = await readPatch(context)
  recordPatch(context, body)
  const text = body.toString('utf8')
  let patcher: Patcher | undefined
  return current => {
    patcher ??= makePatcher(context, mediaType, text, scaleType(), options)
    const object = patcher(current)
    checkNamespace(object.metadata, request.resource.namespaced, context.info.namespace)
    checkName(object.metadata.name, context.info.name)
    return object
  }
}
