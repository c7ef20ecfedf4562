/** The scale subresource: shows and writes a workload's own fields as an autoscaling/v1 Scale. */

import type { KubeObject } from '../../../apimachinery/api/kube-object.js'
import { applyConfiguration } from '../../../apimachinery/fieldmanager/apply.js'
import { entriesAfterScale, entriesOfScale, trackScale } from '../../../apimachinery/fieldmanager/scale.js'
import type { Column } from '../../../apimachinery/formats/column.js'
import type { OutputForm } from '../../../apimachinery/formats/negotiate.js'
import { includeOption, toTable } from '../../../apimachinery/formats/table.js'
import { checkValueCount } from '../../../apimachinery/formats/value-limit.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import type { Response } from '../../../apimachinery/request/message.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { badRequest, internalError, notFound, plainError, StatusError } from '../../../apimachinery/status/status.js'
import { builtinColumns } from '../../../kinds/columns.js'
import type { Resource } from '../../../registry/resource.js'
import { noReplicas, rememberScale, scaleApiVersion, scaleOf } from '../../../registry/scale.js'
import { dropDuplicateOwners } from '../../../registry/write/admitted-object.js'
import { checkedFields, decoded, unconvertible } from '../../../registry/write/apply.js'
import type { Operation, Written } from '../../../registry/write/operation.js'
import { wrongUid } from '../../../registry/write/preconditions.js'
import { type SentChange, scale as verb } from '../../../registry/write/verbs.js'
import { cloneJson } from '../../../util/json.js'
import { timestamp } from '../../../util/time.js'
import { type Endpoint, type EndpointRequest, requestedForm } from '../endpoint.js'
import { respondMade } from '../objects.js'
import { respondObject } from '../respond.js'
import { type Configuration, readConfiguration } from '../write/apply-body.js'
import { decodeObject } from '../write/decode-object.js'
import type { PatchedObject } from '../write/decode-patched.js'
import { isApplyType, patchTypeOf } from '../write/patch-type.js'
import { makePatcher, type Patcher } from '../write/patcher.js'
import { checkPlace } from '../write/place.js'
import { recordPatch, recordQuestion } from '../write/record-request.js'
import { type WriteRequest, writing } from '../write/writing.js'

const scaleType = () => loadSchema().type('autoscaling.v1.Scale')

export const scale: Endpoint = request => {
  const { context, resource } = request
  switch (context.info.verb) {
    case 'get':
      return getScale(request)
    case 'update':
      return updateScale(request)
    default:
      return isApplyType(patchTypeOf(context, resource)) ? applyScale(request) : patchScale(request)
  }
}

const getScale: Endpoint = request => {
  const { context, resource } = request
  const form = requestedForm(request)
  checkTable(context, form)
  const { namespace, name } = context.info
  const found = resource.get(namespace, name)
  if (!found) throw notFound(resource.groupResource, name)
  const object = resource.parse(found)
  const why = resource.kind.subresources!.scale!.whyUnreadable?.(object)
  if (why !== undefined) throw internalError(why)
  return respond(request, form, scaleOf(resource, object))
}

/** What the writes of a Scale have in common. */
const scaling = {
  verb,
  checkHead: checkTable,
  answer: (request: EndpointRequest, form: OutputForm, { object }: Written) =>
    respond(request, form, scaleOf(request.resource, object))
}

const updateScale = writing({
  ...scaling,
  options: 'UpdateOptions',
  async decode({ request, operation, options, body }: WriteRequest) {
    const { context, resource } = request
    const expected = { group: 'autoscaling', version: 'v1', kind: 'Scale', type: scaleType() }
    const wanted = await decodeObject(context, body, expected, options.fieldValidation).catch(error => {
      // kube-apiserver's scheme for custom resources does not know Scale, so its error cannot name the kind
      if (!resource.kind.custom || !(error instanceof StatusError) || error.code !== 400) throw error
      throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"')
    })
    recordQuestion(context, wanted)
    checkPlace(request, wanted)
    return wantedScale(operation, () => wanted)
  }
})

const patchScale = writing({
  ...scaling,
  options: 'PatchOptions',
  checkBody: checkValueCount,
  decode({ request, operation, options, body }: WriteRequest) {
    const { context, resource } = request
    recordPatch(context, body)
    let patcher: Patcher | undefined
    return wantedScale(operation, present => {
      patcher ??= makePatcher(context, patchTypeOf(context, resource), body.toString('utf8'), scaleType(), options)
      const { object: wanted } = patcher(present) as PatchedObject
      checkPlace(request, wanted)
      return wanted
    })
  }
})

const applyScale = writing({
  ...scaling,
  options: 'apply',
  async decode({ request, operation, options, body }: WriteRequest) {
    recordPatch(request.context, body)
    return appliedScale(request, operation, await readConfiguration(request, body, options.fieldValidation), options.force)
  }
})

/** Throws 400 for a Table with a wrong option. */
function checkTable(context: RequestContext, { transform }: OutputForm): void {
  if (transform === 'Table') includeOption(context)
}

function respond({ context, resource, server }: EndpointRequest, form: OutputForm, scale: any): Response {
  if (form.transform !== 'Table') return respondMade(context, form, scale, 'autoscaling.Scale', 200)
  const { resourceVersion } = scale.metadata
  const options = { context, form, now: server.services.clock.now(), metadata: { resourceVersion } }
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

/** Sets a Scale's replicas on the object. Throws 409 for a PUT of another uid. What else may be wrong is looked at after admission, which may change it. */
function scaled(operation: Operation, current: KubeObject, wanted: any): KubeObject {
  const { name = '', uid } = current.metadata
  const replicas = wanted.spec.replicas ?? 0
  dropDuplicateOwners(wanted, operation, false)
  if (operation.request.verb === 'update' && wanted.metadata.uid && wanted.metadata.uid !== uid)
    throw wrongUid(operation, name, wanted.metadata.uid, uid)
  if (replicas !== noReplicas) operation.resource.kind.subresources!.scale!.setReplicas(current, replicas)
  rememberScale(current, wanted)
  return current
}

function appliedScale(
  request: EndpointRequest,
  operation: Operation,
  { value: config, checkDuplicates }: Configuration,
  force: boolean
): SentChange {
  const { resource } = operation
  const type = scaleType()
  const change = (present: KubeObject) => {
    const current = cloneJson(present)
    const { managedFields = [] } = current.metadata
    const { replicasPlace, whyUnreadable } = resource.kind.subresources!.scale!
    const live = scaleOf(resource, current)
    if (whyUnreadable?.(current) !== undefined) live.spec.replicas = noReplicas
    live.metadata.managedFields = [...entriesOfScale(managedFields, scaleApiVersion, replicasPlace)]
    // kube-apiserver's field manager for custom resources tries to convert the Scale as a custom resource, and fails
    const why = 'request to convert CR to an invalid group/version: autoscaling/v1'
    const { custom } = resource.kind
    if (custom && live.metadata.managedFields.length === 0)
      throw plainError(
        `failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: ${why}`
      )
    const fields = checkedFields(type, scaleApiVersion, 'Scale', config)
    const manager = { ...operation.manager, apiVersion: scaleApiVersion }
    const applied = applyConfiguration({ type, live, config, fields, manager, now: timestamp(operation.now), force })
    if (custom && applied.object !== undefined) throw unconvertible(config, why)
    const wanted = decoded(type, live, config, applied)
    checkPlace(request, wanted)
    const { apiVersion } = operation.manager
    current.metadata.managedFields = [...entriesAfterScale(managedFields, applied.managedFields, apiVersion, replicasPlace)]
    checkDuplicates()
    return scaled(operation, current, wanted)
  }
  return { change }
}

function wantedScale(operation: Operation, wanted: (present: any) => any): SentChange {
  const { resource } = operation
  const change = (present: KubeObject) => {
    const current = cloneJson(present)
    const { replicas, replicasPlace, whyUnreadable } = resource.kind.subresources!.scale!
    const before = replicas(current)
    const live = scaleOf(resource, current)
    if (whyUnreadable?.(current) !== undefined) live.spec.replicas = noReplicas
    const shown = entriesOfScale(current.metadata.managedFields ?? [], scaleApiVersion, replicasPlace)
    if (shown.length > 0) live.metadata.managedFields = shown
    const object = scaled(operation, current, wanted(live))
    const { metadata } = object
    if (metadata.managedFields)
      metadata.managedFields = [...trackScale(metadata.managedFields, operation.manager, before, replicas(object), replicasPlace)]
    return object
  }
  return { change }
}
