/** The last stage of the chain: finds the endpoint for a request's path and method. */
import type { AdmissionChain } from '../admission/admission.js'
import type { Verb } from '../registry/kind.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import type { Services } from '../registry/services.js'
import type { RequestContext, Response } from '../server/context.js'
import { badRequest, methodNotAllowed, methodNotSupported, noSuchResource, notFound } from '../server/status.js'
import { TrailingError } from '../storage/contract.js'
import { goQuote } from '../util/go-format.js'
import { create } from './create.js'
import { remove } from './delete.js'
import { removeCollection } from './delete-collection.js'
import type { Endpoint } from './endpoint.js'
import { get } from './get.js'
import { list } from './list.js'
import { patch } from './patch.js'
import { tooLargeVersion } from './resource-version.js'
import { respondText } from './respond.js'
import { checkResourceRoute } from './route.js'
import { subresourceEndpoint } from './subresource.js'
import { update } from './update.js'
import { watch } from './watch.js'
import { WatchFrames } from './watch-frames.js'

/** Answers paths outside the resources: discovery, OpenAPI, health, version, metrics. */
export interface PathHandler {
  /** "/version" matches only itself, "/healthz/" everything below. */
  readonly path: string
  handle(context: RequestContext): Response | Promise<Response>
}

export interface DispatchOptions {
  readonly registry: Registry
  readonly services: Services
  readonly admission: AdmissionChain
  readonly paths: readonly PathHandler[]
  readonly stopping: AbortSignal
}

const endpoints: Record<Verb, Endpoint> = {
  get,
  list,
  watch,
  create,
  update,
  patch,
  delete: remove,
  deletecollection: removeCollection
}

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
      if (handler) return handler.handle(context)
      // below what a router serves, it is the router that finds nothing
      if (routers.some(p => info.path.startsWith(`${p}/`))) throw noSuchResource()
      return pageNotFound()
    }
    if (!registry.hasGroup(info.group)) return pageNotFound()
    const resource = registry.find(info.group, info.version, info.resource)
    if (!resource || !routed(context, resource)) {
      // beside custom resources there is nothing that would know the group
      if (resource?.kind.custom && info.parts.length > 2 && (info.namespace !== '') === resource.namespaced)
        throw notFound(resource.groupResource, info.name)
      if (resource?.kind.custom || registry.isCustom(info.group)) return pageNotFound()
      throw noSuchResource()
    }
    if (info.name.length < 3 || info.name.includes('%')) checkSegment(info.name)
    const endpoint = info.subresource === '' ? endpointFor(context, resource) : subresourceEndpoint(context, resource)
    if (!resource.kind.custom && !resource.kind.subresources?.[info.subresource]?.connect) checkResourceRoute(context)
    warnOfDeprecation(context, resource)
    const request = { context, resource, services, admission, frames, stopping }
    const run = () => endpoint(request)
    const fresh = namesVersion(context) ? undefined : resource.cache.catchUp()
    if (fresh) return caughtUp(fresh, resource).then(run)
    return resource.cache.ready || resource.kind.virtual ? run() : resource.cache.load().then(run)
  }
}

/** Reads that say how new their answer must be are content with what is at hand, or wait for it themselves. */
const namesVersion = ({ request: { method }, query }: RequestContext) =>
  method === 'GET' && (!!query.get('resourceVersion') || !!query.get('continue'))

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
  const { parts, namespace, verb } = info
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
    (info.subresource === 'status' && !!kind.status) ||
    (info.subresource === 'scale' && !!kind.scale) ||
    Object.hasOwn(kind.subresources ?? {}, info.subresource)
  )
}

/** A name that could not be part of a key. */
function checkSegment(name: string): void {
  const why = name === '.' || name === '..' ? `may not be '${name}'` : name.includes('%') ? "may not contain '%'" : undefined
  if (why) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${why}`)
}

function warnOfDeprecation(context: RequestContext, resource: Resource): void {
  const deprecation = resource.versions.get(context.info.version)?.deprecation
  if (deprecation) context.warn(deprecation)
}

const collectionMethods: Record<string, Verb> = { GET: 'list', POST: 'create', DELETE: 'deletecollection' }
const objectMethods: Record<string, Verb> = { GET: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }

function endpointFor(context: RequestContext, resource: Resource): Endpoint {
  const { info, request } = context
  // custom resources have no routes of their own, which would be for GET alone
  const method = request.method === 'HEAD' && resource.kind.custom ? 'GET' : request.method
  const collection = info.parts.length === 1
  let verb = collection ? collectionMethods[method] : objectMethods[method]
  if (info.verb === 'watch' && method === 'GET') verb = 'watch'
  const acrossNamespaces = collection && resource.namespaced && info.namespace === ''
  if (resource.kind.custom && !verb) throw methodNotSupported(resource.groupResource, info.verb)
  if (!verb || (acrossNamespaces && verb !== 'list' && verb !== 'watch')) throw methodNotAllowed()
  if (!resource.verbs.has(verb)) {
    if (verb === 'watch' && info.path.includes('/watch/')) throw noSuchResource()
    if ((verb !== 'list' && verb !== 'watch') || resource.kind.virtual) throw methodNotAllowed()
    // here there is a route, which warns as every other; only its storage lacks the verb
    warnOfDeprecation(context, resource)
    throw methodNotSupported({ group: resource.group, resource: resource.resource }, verb)
  }
  return endpoints[verb]
}
