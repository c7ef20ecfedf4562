import { notFound, plainError } from '../server/status.js'
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
  if (!found) throw notFound(resource.groupResource, name)
  if (found.problem !== undefined) throw plainError(found.problem)
  return respondStored(context, form, resource, found, services.clock.now())
}
