/** The discovery endpoints: /api, /apis, and the paths of groups and versions below them. */
import { createHash } from 'node:crypto'
import { type ApiGroup, type Backend, generationOf } from '../endpoints/backend.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { outputForm, respondObject, respondText } from '../endpoints/respond.js'
import { checkGetRoute, discoveryRoute } from '../endpoints/route.js'
import { encodeObject } from '../formats/encode.js'
import { negotiateDiscovery, type OutputForm, wantsPretty } from '../formats/negotiate.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import { noSuchResource } from '../status/status.js'
import { aggregatedParameters, groupDiscoveryList } from './aggregated.js'
import { apiGroups, type PriorityOf } from './api-groups.js'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.js'

/** `cbor`: whether the lists of built-in resources are CBOR for those who ask. */
export function discoveryPaths(
  backends: readonly Backend[],
  serverAddress: () => string,
  priorityOf?: PriorityOf,
  cbor = false
): PathHandler[] {
  const documents = new Documents(backends, priorityOf, cbor)
  return [
    {
      path: '/api',
      handle(context) {
        checkGetRoute(context, discoveryRoute(false))
        const aggregated = aggregatedForm(context)
        return aggregated
          ? documents.aggregated('core', context, aggregated)
          : respondObject(outputForm(context), apiVersions(serverAddress()))
      }
    },
    {
      path: '/apis',
      // here and at the path of a group, kube-apiserver accepts any method
      handle(context) {
        const aggregated = aggregatedForm(context)
        return aggregated
          ? documents.aggregated('others', context, aggregated)
          : respondObject(outputForm(context), apiGroupList(documents.groups.filter(g => g.name !== '')))
      }
    },
    { path: '/api/', handle: context => documents.group('', context.info.path.split('/')[2]!, context) },
    {
      path: '/apis/',
      handle: context => documents.group(context.info.path.split('/')[2]!, context.info.path.split('/')[3] ?? '', context)
    }
  ]
}

const aggregatedForm = (context: RequestContext): OutputForm | undefined =>
  negotiateDiscovery(context.header('accept'), wantsPretty(context.query, context.header('user-agent')))

/** The core group is at /api, the others at /apis. */
type Part = 'core' | 'others'

interface Aggregated {
  readonly list: unknown
  readonly etag: string
  /** The encoded documents, by form. */
  readonly bodies: Map<string, Buffer>
}

class Documents {
  readonly #backends: readonly Backend[]
  readonly #priorityOf: PriorityOf | undefined
  readonly #cbor: boolean
  #generation = -1
  #groups: ApiGroup[] = []
  readonly #aggregated = new Map<Part, Aggregated>()

  constructor(backends: readonly Backend[], priorityOf: PriorityOf | undefined, cbor: boolean) {
    this.#cbor = cbor
    this.#backends = backends
    this.#priorityOf = priorityOf
  }

  get groups(): readonly ApiGroup[] {
    const generation = generationOf(this.#backends)
    if (this.#generation !== generation) {
      this.#generation = generation
      this.#groups = apiGroups(this.#backends, this.#priorityOf)
      this.#aggregated.clear()
    }
    return this.#groups
  }

  aggregated(part: Part, context: RequestContext, { mediaType, pretty }: OutputForm): Response {
    const { etag, list, bodies } = this.#aggregatedList(part)
    const type = `${mediaType}${aggregatedParameters}`
    const headers = { 'content-type': type, etag, vary: 'Accept', 'cache-control': 'public' }
    if (context.header('if-none-match') === etag) return { status: 304, headers }
    const form = `${mediaType} ${pretty}`
    let body = bodies.get(form)
    if (!body) bodies.set(form, (body = encodeObject(list, mediaType, pretty)))
    return { status: 200, headers, body, object: list }
  }

  #aggregatedList(part: Part): Aggregated {
    const { groups } = this
    let known = this.#aggregated.get(part)
    if (!known) {
      const list = groupDiscoveryList(groups.filter(g => (g.name === '') === (part === 'core')))
      const etag = `"${createHash('sha512').update(JSON.stringify(list)).digest('hex').toUpperCase()}"`
      known = { list, etag, bodies: new Map() }
      this.#aggregated.set(part, known)
    }
    return known
  }

  group(name: string, version: string, context: RequestContext): Response {
    const group = this.groups.find(g => g.name === name)
    if (!group) return respondText('404 page not found\n', 404)
    if (version === '' && name !== '')
      return respondObject(outputForm(context), { kind: 'APIGroup', apiVersion: 'v1', ...(apiGroup(group) as object) })
    const found = group.versions.find(v => v.name === version)
    if (!found) {
      if (!group.hasRoutes) return respondText('404 page not found\n', 404)
      throw noSuchResource()
    }
    if (group.hasRoutes) {
      checkGetRoute(context, discoveryRoute(this.#cbor))
      context.cbor = this.#cbor
    }
    return respondObject(outputForm(context), apiResourceList(name, version, found.resources))
  }
}
