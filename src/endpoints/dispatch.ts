/** The last stage of the chain: finds the endpoint for a request's path and method. */

import { checkKeyName } from '../registry/key-name.js'
import type { Verb } from '../registry/kind.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { Admission } from '../registry/write/admission.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import { methodNotAllowed, methodNotSupported, noSuchResource, notFound } from '../status/status.js'
import { TrailingError } from '../storage/contract.js'
import type { Endpoint } from './endpoint.js'
import { get } from './read/get.js'
import { list } from './read/list.js'
import { tooLargeVersion } from './read/resource-version.js'
import { respondText } from './respond.js'
import { checkResourceRoute } from './route.js'
import { subresourceEndpoint } from './subresources/subresource.js'
import { WatchFrames } from './watch/frames.js'
import { watch } from './watch/watch.js'
import { create } from './write/create.js'
import { remove } from './write/delete.js'
import { removeCollection } from './write/delete-collection.js'
import { patch } from './write/patch.js'
import { update } from './write/update.js'

/** Answers paths outside the resources: discovery, OpenAPI, health, version, metrics. */
export interface PathHandler {
  /** "/version" matches only itself, "/healthz/" everything below. */
  readonly path: string
  handle(context: RequestContext): Response | Promise<Response>
}

export interface DispatchOptions {
  readonly registry: Registry
  readonly services: Services
  readonly admission: Admission
  readonly paths: readonly PathHandler[]
  readonly stopping: AbortSignal
}

interface Route {
  /** The one method that carries the verb out. */
  readonly method: string
  readonly endpoint: Endpoint
  readonly on: 'collection' | 'object' | 'both'
}

/** What runs for the verb that was authorized: nothing below looks at the method again. */
const routes: ReadonlyMap<string, Route> = new Map<Verb, Route>([
  ['get', { method: 'GET', endpoint: get, on: 'object' }],
  ['list', { method: 'GET', endpoint: list, on: 'collection' }],
  ['watch', { method: 'GET', endpoint: watch, on: 'both' }],
  ['create', { method: 'POST', endpoint: create, on: 'collection' }],
  ['update', { method: 'PUT', endpoint: update, on: 'object' }],
  ['patch', { method: 'PATCH', endpoint: patch, on: 'object' }],
  ['delete', { method: 'DELETE', endpoint: remove, on: 'object' }],
  ['deletecollection', { method: 'DELETE', endpoint: removeCollection, on: 'collection' }]
])

/** Paths that may end with a slash. */
const trailing = /^\/(?:apis?|version)\/$/

const routers = ['/version', '/.well-known/openid-configuration', '/openid/v1/jwks']

const pageNotFound = () => respondText('404 page not found\n', 404)

export function createDispatch(options: DispatchOptions): (context: RequestContext) => Response | Promise<Response> {
  const { registry, services, admission, stopping } = options
  const prefixes = (p: PathHandler) => p.path.length > 1 && p.path.endsWith('/')
  const exact = new Map(options.paths.filter(p => !prefixes(p)).map(p => [p.path, p]))
  const frames = new WatchFrames()
  const below = options.paths.filter(prefixes)
  return context => {
    const { info } = context
    if (!info.isResourceRequest) {
      const path = trailing.test(info.path) ? info.path.slice(0, -1) : info.path
      const handler = exact.get(path) ?? below.find(p => info.path.startsWith(p.path))
      if (handler) {
        context.record.route = { group: '', version: '', resource: '', subresource: handler.path }
        return handler.handle(context)
      }
      // below what a router serves, it is the router that finds nothing
      if (routers.some(p => info.path.startsWith(`${p}/`))) throw noSuchResource()
      return pageNotFound()
    }
    if (registry.find(info.group, info.version, info.resource)) return answer(context)
    // another server on the same store may have established the definition a moment ago
    const fresh = services.store.currentRevision()
    if (typeof fresh === 'number') return answer(context)
    return fresh.then(
      () => answer(context),
      () => answer(context)
    )
  }

  function answer(context: RequestContext): Response | Promise<Response> {
    const { info } = context
    if (!registry.hasGroup(info.group)) return pageNotFound()
    const resource = registry.find(info.group, info.version, info.resource)
    if (!resource || !routed(context, resource)) {
      if (resource?.kind.custom && info.verb === 'watch' && info.subresource !== '')
        throw methodNotSupported(resource.groupResource, info.verb)
      // beside custom resources there is nothing that would know the group
      if (resource?.kind.custom && info.parts.length > 2 && (info.namespace !== '') === resource.namespaced)
        throw notFound(resource.groupResource, info.name)
      if (resource?.kind.custom || registry.isCustom(info.group)) return pageNotFound()
      throw noSuchResource()
    }
    if (info.name !== '' && (info.name.length < 3 || info.name.includes('%'))) checkKeyName(info.name)
    const endpoint = endpointFor(context, resource)
    context.record.route = info
    if (!resource.kind.custom && !resource.kind.subresources?.others?.[info.subresource]?.connects) checkResourceRoute(context)
    warnOfDeprecation(context, resource)
    const request = { context, resource, services, admission, frames, stopping }
    const run = () => endpoint(request)
    const fresh = namesVersion(context) ? undefined : resource.cache.catchUp()
    if (fresh) return caughtUp(fresh, resource).then(run)
    return resource.cache.ready || resource.kind.virtual ? run() : resource.cache.load().then(run)
  }
}

/** Reads that say how new their answer must be are content with what is at hand, or wait for it themselves. */
const namesVersion = ({ info: { verb }, query }: RequestContext) =>
  routes.get(verb)?.method === 'GET' && (!!query.get('resourceVersion') || !!query.get('continue'))

/** What anyone has been told of before this request came is part of its answer, whichever server told them. */
async function caughtUp(fresh: Promise<number>, resource: Resource): Promise<void> {
  try {
    await fresh
  } catch (error) {
    if (error instanceof TrailingError) throw tooLargeVersion(error.revision, error.seenRevision)
    throw error
  }
  if (!resource.cache.ready && !resource.kind.virtual) await resource.cache.load()
}

/** Whether a path like this one exists for the resource, whatever the method. */
function routed({ info }: RequestContext, resource: Resource): boolean {
  const { parts, namespace, verb, verbInPath } = info
  if (verbInPath && (verb !== 'watch' || parts.length > 2 || !resource.verbs.has('watch'))) return false
  if (parts.length > 3 && info.subresource !== 'proxy') return false
  // who may something in one namespace must not reach others by a path below it
  const inNamespace = namespace !== '' && !(resource.resource === 'namespaces' && parts[1] === namespace)
  if (inNamespace && !resource.namespaced) return false
  if (!inNamespace && resource.namespaced && (parts.length > 1 || !resource.verbs.has('list'))) return false
  if (resource.kind.custom && resource.namespaced && !inNamespace && verb !== 'list' && verb !== 'watch') return false
  if (resource.kind.virtual) return parts.length === 1
  if (parts.length < 3) return true
  const { kind } = resource
  return (
    (info.subresource === 'status' && !!kind.subresources?.status) ||
    (info.subresource === 'scale' && !!kind.subresources?.scale) ||
    Object.hasOwn(kind.subresources?.others ?? {}, info.subresource)
  )
}

function warnOfDeprecation(context: RequestContext, resource: Resource): void {
  const deprecation = resource.versions.get(context.info.version)?.deprecation
  if (!deprecation) return
  context.warn(deprecation)
  context.record.annotate('k8s.io/deprecated', 'true')
}

/** The endpoint for the verb that was authorized. Throws 405 where the method is not the one that carries it out. */
function endpointFor(context: RequestContext, resource: Resource): Endpoint {
  const { info } = context
  if (resource.kind.subresources?.others?.[info.subresource]?.connects) return subresourceEndpoint(context, resource)
  const route = routes.get(info.verb)
  if (!route || !hasMethod(context, resource, route.method)) throw unsupportedVerb(context, resource)
  if (info.subresource !== '') return subresourceEndpoint(context, resource)
  const collection = info.parts.length === 1
  if (route.on !== 'both' && (route.on === 'collection') !== collection) throw unsupportedVerb(context, resource)
  const verb = info.verb as Verb
  const acrossNamespaces = collection && resource.namespaced && info.namespace === ''
  if (acrossNamespaces && verb !== 'list' && verb !== 'watch') throw methodNotAllowed()
  if (!resource.verbs.has(verb)) {
    if ((verb !== 'list' && verb !== 'watch') || resource.kind.virtual) throw methodNotAllowed()
    // here there is a route, which warns as every other; only its storage lacks the verb
    warnOfDeprecation(context, resource)
    throw methodNotSupported({ group: resource.group, resource: resource.resource }, verb)
  }
  return route.endpoint
}

/** Custom resources have no routes of their own, which would be for GET alone. */
const hasMethod = ({ request }: RequestContext, { kind }: Resource, method: string): boolean =>
  request.method === method || (method === 'GET' && request.method === 'HEAD' && kind.custom !== undefined)

const unsupportedVerb = ({ info }: RequestContext, { kind, groupResource }: Resource) =>
  kind.custom && !info.verbInPath ? methodNotSupported(groupResource, info.verb) : methodNotAllowed()
