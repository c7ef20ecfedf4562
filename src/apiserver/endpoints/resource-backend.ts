/** Serves resources of a registry: finds the endpoint for the verb that was authorized. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { methodNotAllowed, methodNotSupported } from '../../apimachinery/status/status.js'
import { checkKeyName } from '../../registry/key-name.js'
import type { Verb } from '../../registry/kind.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import { TrailingError } from '../../storage/contract.js'
import { type Attributes, traced } from '../../util/trace.js'
import type { ApiGroup, Backend } from './backend.js'
import type { Endpoint, EndpointServer } from './endpoint.js'
import { get } from './read/get.js'
import { list } from './read/list.js'
import { tooLargeVersion } from './read/resource-version.js'
import type { RouteRules } from './route-rules.js'
import { subresourceEndpoint } from './subresources/subresource.js'
import { watch } from './watch/watch.js'
import { create } from './write/create.js'
import { remove } from './write/delete.js'
import { removeCollection } from './write/delete-collection.js'
import { patch } from './write/patch.js'
import { update } from './write/update.js'

export interface ResourceBackendOptions {
  readonly name: string
  readonly registry: Registry
  /** Whether the backend serves a resource of the registry. Each group is served by one backend only. */
  serves(resource: Resource): boolean
  readonly rules: RouteRules
  describe(served: readonly Resource[]): ApiGroup[]
  readonly server: EndpointServer
}

interface Route {
  /** The only method that executes the verb. */
  readonly method: string
  readonly endpoint: Endpoint
  readonly on: 'collection' | 'object' | 'both'
}

/** The endpoint for each authorized verb. Endpoints do not look at the method again. */
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

/** Whether a request writes a stored object with all that it has, or its status. */
const isWriteOfObject = ({ verb, subresource }: RequestContext['info']) =>
  (verb === 'update' || verb === 'patch' || verb === 'delete') && (subresource === '' || subresource === 'status')

export class ResourceBackend implements Backend {
  readonly name: string
  readonly #options: ResourceBackendOptions
  readonly #cbor: boolean
  #described: { readonly generation: number; readonly groups: readonly ApiGroup[] } | undefined

  constructor(options: ResourceBackendOptions) {
    this.name = options.name
    this.#options = options
    this.#cbor = options.server.services.features.enabled('CBORServingAndStorage')
  }

  get generation(): number {
    return this.#options.registry.generation
  }

  groups(): readonly ApiGroup[] {
    const { registry, serves, describe } = this.#options
    const { generation } = registry
    if (this.#described?.generation !== generation)
      this.#described = { generation, groups: describe([...registry.served()].filter(serves)) }
    return this.#described.groups
  }

  hasGroup(name: string): boolean {
    const { registry, serves } = this.#options
    return registry.hasGroup(name) && serves(registry.anyOf(name))
  }

  withServices(services: Services): ResourceBackend {
    return new ResourceBackend({ ...this.#options, server: { ...this.#options.server, services } })
  }

  missing(context: RequestContext): Response {
    return this.#options.rules.missing(context, undefined)
  }

  handle(context: RequestContext): Response | Promise<Response> | undefined {
    const { registry, serves, rules, server } = this.#options
    const { info } = context
    const resource = registry.find(info.group, info.version, info.resource)
    if (!resource || !serves(resource)) return undefined
    if (!hasPath(context, resource, rules)) return rules.missing(context, resource)
    const endpoint = endpointFor(context, resource, rules)
    context.record.route = info
    rules.checkHeaders(context, resource, this.#cbor)
    // errors before this one are never CBOR
    context.cbor = this.#cbor
    warnOfDeprecation(context, resource)
    // a create takes the name of its object, and other writes look for what is wrong with their options and body first
    if (info.name !== '' && info.verb !== 'create' && !isWriteOfObject(info)) checkKeyName(info.name)
    const request = { context, resource, server }
    const run = () =>
      traced(
        operations.get(info.verb) ?? 'Connect',
        'internal',
        () => traceFields(context),
        () => endpoint(request)
      )
    const readsStore = !namesVersion(context)
    const { faults } = server.services
    if (readsStore && faults && faults.storage.length > 0 && storeReads.has(info.verb)) return faults.read(context).then(run)
    const fresh = readsStore ? resource.cache.catchUp() : undefined
    if (fresh) return caughtUp(fresh, resource, info.verb).then(run)
    return resource.cache.ready || resource.kind.virtual ? run() : loaded(resource, info.verb).then(run)
  }
}

/** The names of kube-apiserver's spans. */
const operations: ReadonlyMap<string, string> = new Map([
  ['get', 'Get'],
  ['list', 'List'],
  ['watch', 'WatchList'],
  ['create', 'Create'],
  ['update', 'Update'],
  ['patch', 'Patch'],
  ['delete', 'Delete'],
  ['deletecollection', 'Delete']
])

function traceFields(context: RequestContext): Attributes {
  const { info, record, request, path } = context
  return {
    accept: context.header('accept') ?? '',
    'audit-id': record.auditId,
    client: request.remoteAddress,
    'api-group': info.group,
    'api-version': info.version,
    name: info.name,
    subresource: info.subresource,
    namespace: info.namespace,
    resource: info.resource,
    url: path,
    'user-agent': context.header('user-agent') ?? '',
    verb: request.method
  }
}

/** A read that names a version needs no catch-up: it accepts any state that is new enough, or waits for it itself. */
const namesVersion = ({ info: { verb }, query }: RequestContext) =>
  routes.get(verb)?.method === 'GET' && (!!query.get('resourceVersion') || !!query.get('continue'))

/** The verbs that read the present state of the store. */
const storeReads: ReadonlySet<string> = new Set(['get', 'list'])

/** Waits until the cache shows every write that any server had acknowledged before the request arrived. */
async function caughtUp(fresh: Promise<number>, resource: Resource, verb: string): Promise<void> {
  const { counts } = resource.cache
  const isRead = verb === 'list' || verb === 'get'
  const began = performance.now()
  try {
    await fresh
    if (isRead) counts.consistent++
    counts.readWait.observe((performance.now() - began) / 1000)
  } catch (error) {
    if (isRead) counts.inconsistent++
    if (error instanceof TrailingError) throw tooLargeVersion(error.revision, error.seenRevision)
    throw error
  }
  if (!resource.cache.ready && !resource.kind.virtual) await loaded(resource, verb)
}

/**
 * Waits until the cache shows what the store contains. It stays behind while a webhook cannot convert that; then only watches fail, and other requests read
 * from the store what they need.
 */
async function loaded(resource: Resource, verb: string): Promise<void> {
  try {
    await resource.cache.load()
  } catch (error) {
    if (verb === 'watch' || !resource.isConverted || !resource.cache.hasBeenReady) throw error
  }
}

/** Whether the resource has the request's path, whatever the method. */
function hasPath({ info }: RequestContext, resource: Resource, rules: RouteRules): boolean {
  const { parts, namespace, verb, verbInPath } = info
  if (verbInPath && rules.routed && (verb !== 'watch' || parts.length > 2 || !resource.verbs.has('watch'))) return false
  if (parts.length > 3 && rules.routed && info.subresource !== 'proxy') return false
  // permission in one namespace must not give access to cluster-scoped or other objects through a path below it
  const inNamespace = namespace !== '' && !(resource.resource === 'namespaces' && parts[1] === namespace)
  if (inNamespace && !resource.namespaced) return false
  if (!inNamespace && resource.namespaced && (parts.length > 1 || !resource.verbs.has('list'))) return false
  const acrossNamespaces = resource.namespaced && !inNamespace
  if (acrossNamespaces && !rules.routed && verb !== 'list' && verb !== 'watch') return false
  if (resource.kind.virtual) return parts.length === 1
  if (rules.routed ? parts.length < 3 : info.subresource === '') return true
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
  context.record.removedRelease = /unavailable in v([\d.]+)\+/.exec(deprecation)?.[1] ?? ''
}

/** Finds the endpoint for the authorized verb. Throws 405 for a method that does not execute this verb. */
function endpointFor(context: RequestContext, resource: Resource, rules: RouteRules): Endpoint {
  const { info } = context
  if (resource.kind.subresources?.others?.[info.subresource]?.connects) return subresourceEndpoint(context, resource)
  const route = routes.get(info.verb)
  if (!route || !rules.accepts(context.request.method, route.method)) throw rules.unsupportedVerb(context, resource)
  if (info.subresource !== '') return subresourceEndpoint(context, resource)
  const collection = info.parts.length === 1
  const verb = info.verb as Verb
  const isElsewhere = route.on !== 'both' && (route.on === 'collection') !== collection
  // without routes, the name in the path means nothing to a create
  if (isElsewhere && (rules.routed || verb !== 'create')) throw rules.unsupportedVerb(context, resource)
  const acrossNamespaces = collection && resource.namespaced && info.namespace === ''
  if (acrossNamespaces && verb !== 'list' && verb !== 'watch') throw methodNotAllowed()
  if (!resource.verbs.has(verb)) {
    if ((verb !== 'list' && verb !== 'watch') || resource.kind.virtual) throw methodNotAllowed()
    // the route exists and warns like any other; only the storage lacks the verb
    warnOfDeprecation(context, resource)
    throw methodNotSupported({ group: resource.group, resource: resource.resource }, verb)
  }
  return route.endpoint
}
