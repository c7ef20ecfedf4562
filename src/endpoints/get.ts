import type { Resource } from '../registry/resource.js'
import { notFound, plainError, type StatusError } from '../server/status.js'
import { computedObject } from './computed.js'
import { type Endpoint, requestedForm } from './endpoint.js'
import { respondStored } from './objects.js'
import { parseResourceVersion } from './resource-version.js'

export const get: Endpoint = async request => {
  const { context, resource, services } = request
  const form = requestedForm(request)
  const { namespace, name } = context.info
  const version = context.query.size > 0 ? context.query.get('resourceVersion') : null
  if (version) await parseResourceVersion.forGet(version, resource)
  const found = resource.kind.computed ? await computedObject(request, name) : resource.get(namespace, name)
  if (!found) throw missing(resource, namespace, name)
  if (found.problem !== undefined) throw plainError(found.problem)
  return respondStored(context, form, resource, found, services.clock.now())
}

function missing(resource: Resource, namespace: string, name: string): StatusError {
  const why = resource.cache.whyUnreadable(resource.key(namespace, name))
  return why === undefined ? notFound(resource.groupResource, name) : plainError(why)
}
