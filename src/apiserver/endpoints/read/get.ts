import type { OutputForm } from '../../../apimachinery/formats/negotiate.js'
import type { Response } from '../../../apimachinery/request/message.js'
import { notFound } from '../../../apimachinery/status/status.js'
import { unreadable } from '../../../registry/unreadable.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import { type Endpoint, type EndpointRequest, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { computedObject } from './computed.js'
import { waitForGet } from './resource-version.js'

/** GET. Answers in the same turn of the event loop unless the request names a version, the kind is computed or a webhook converts. */
export const get: Endpoint = request => {
  const { context, resource } = request
  const form = requestedForm(request)
  const version = context.query.size > 0 ? context.query.get('resourceVersion') : null
  const { namespace, name } = context.info
  if (!version && !resource.kind.computed) {
    const found = resource.get(namespace, name)
    if (!resource.mayChange(found)) return respond(request, form, found)
  }
  return getLater(request, form, version)
}

async function getLater(request: EndpointRequest, form: OutputForm, version: string | null): Promise<Response> {
  const { context, resource } = request
  const { namespace, name } = context.info
  if (version) await waitForGet(request, version)
  if (resource.kind.computed) return respond(request, form, await computedObject(request, name))
  return respond(request, form, version ? resource.get(namespace, name) : await resource.readStored(namespace, name))
}

function respond({ context, resource, server }: EndpointRequest, form: OutputForm, found: CachedObject | undefined): Response {
  const { namespace, name } = context.info
  if (!found || found.problem !== undefined)
    throw unreadable(resource, namespace, name, server.services.features, found) ?? notFound(resource.groupResource, name)
  return respondStored(context, form, resource, found, server.services.clock.now())
}
