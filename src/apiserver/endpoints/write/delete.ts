import type { RequestContext } from '../../../apimachinery/request/context.js'
import { queryInteger } from '../../../apimachinery/request/query-integer.js'
import { isTrue } from '../../../apimachinery/request/request-info.js'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { success } from '../../../apimachinery/status/status.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import type { Resource } from '../../../registry/resource.js'
import type { Services } from '../../../registry/services.js'
import { type Deleted, deleteObject } from '../../../registry/write/delete.js'
import type { DeleteOptions } from '../../../registry/write/delete-options.js'
import { invalidDeleteOptions, validateDeleteOptions } from '../../../registry/write/delete-options.js'
import { type Endpoint, operationFor, requestedForm } from '../endpoint.js'
import { respondMade, respondStored } from '../objects.js'
import { decodeObject, maxBodyBytes } from './decode-object.js'
import { recordOptions } from './record-request.js'
import { removeUnreadable } from './remove-unreadable.js'

export const remove: Endpoint = async request => {
  const { context, resource, server } = request
  const form = requestedForm(request)
  const options = await deleteOptions(context, server.services)
  if (options.ignoreStoreReadErrorWithClusterBreakingPotential) return removeUnreadable(request, form, options)
  const operation = operationFor(request, { dryRun: options.dryRun, fieldManager: undefined }, options)
  const { name } = context.info
  if (warnsAboutOrphans(resource, operation.version, options)) operation.warn(orphanWarning)
  const deleted = await deleteObject(operation, name, options)
  if (deleted.gone && !deleted.isUpdated && !resource.kind.deletion?.returnsObject)
    return respondMade(context, form, deletedStatus(resource, deleted), '', 200)
  const accepted = !deleted.gone && options.orphanDependents === false
  return respondStored(context, form, resource, deleted, server.services.clock.now(), accepted ? 202 : 200)
}

function deletedStatus(resource: Resource, { object }: Deleted) {
  const { group } = resource
  return success({
    name: object.metadata.name,
    ...(group === '' ? {} : { group }),
    kind: resource.resource,
    uid: object.metadata.uid
  })
}

export const orphanWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning'

export function warnsAboutOrphans(resource: Resource, version: string, options: DeleteOptions): boolean {
  const unsaid = options.propagationPolicy === undefined && options.orphanDependents === undefined
  return unsaid && resource.resource === 'jobs' && resource.kind.deletion?.defaultPropagation?.(version) === 'Orphan'
}

export interface RequestedDelete extends DeleteOptions {
  readonly dryRun: boolean
}

const unsafe = 'ignoreStoreReadErrorWithClusterBreakingPotential'

/** Reads DeleteOptions from the body, or from the query when the body is empty. */
export async function deleteOptions(context: RequestContext, { features }: Pick<Services, 'features'>): Promise<RequestedDelete> {
  const body = await context.readBody(maxBodyBytes)
  const given: DeleteOptions & { dryRun?: readonly string[] } =
    body.length > 0 ? await readOptions(context, body) : queryOptions(context.query)
  const options = features.enabled('AllowUnsafeMalformedObjectDeletion') ? given : { ...given, [unsafe]: undefined }
  if (body.length > 0) recordOptions(context, options)
  const errors = new FieldErrors()
  const dryRun = validateDeleteOptions(options, errors)
  if (errors.any) throw invalidDeleteOptions(errors)
  return { ...options, dryRun }
}

function readOptions(context: RequestContext, body: Buffer) {
  const type = loadSchema().type('meta.v1.DeleteOptions')
  return decodeObject(
    context,
    body,
    { group: 'meta.k8s.io', version: 'v1', kind: 'DeleteOptions', type, anyVersion: true },
    'Ignore'
  )
}

function queryOptions(query: URLSearchParams): DeleteOptions & { dryRun?: readonly string[] } {
  if (query.size === 0) return {}
  const orphan = query.get('orphanDependents')
  const uid = query.get('uid') || undefined
  const resourceVersion = query.get('resourceVersion') || undefined
  return {
    gracePeriodSeconds: queryInteger(query, 'gracePeriodSeconds'),
    propagationPolicy: (query.get('propagationPolicy') ?? undefined) as DeleteOptions['propagationPolicy'],
    orphanDependents: orphan === null ? undefined : isTrue(orphan),
    preconditions: uid || resourceVersion ? { uid, resourceVersion } : undefined,
    [unsafe]: isTrue(query.get(unsafe) ?? 'false'),
    dryRun: query.getAll('dryRun')
  }
}
