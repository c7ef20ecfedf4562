/** The discovery endpoints: /api, /apis, and the paths of groups and versions below them. */
import { createHash } from 'node:crypto'
import { encodeObject } from '../../apimachinery/formats/body.js'
import { type DiscoveryForm, negotiateDiscovery, wantsPretty } from '../../apimachinery/formats/negotiate.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { noSuchResource } from '../../apimachinery/status/status.js'
import { type ApiGroup, type Backend, generationOf } from '../endpoints/backend.js'
import type { DiscoveredGroup } from '../endpoints/discovery-document.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { outputForm, respondObject, respondText } from '../endpoints/respond.js'
import { checkGetRoute, discoveryRoute } from '../endpoints/route.js'
import { aggregatedParameters, groupDiscovery, groupDiscoveryList } from './aggregated.js'
import { apiGroups, type PriorityOf } from './api-groups.js'
import type { DiscoveryMetrics } from './discovery-metrics.js'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.js'

/** What the other API servers over the same store serve. */
export interface PeerDocuments {
  /** Increases with every change. */
  readonly generation: number
  /** Joins the groups below /apis of this server with those of the others. */
  merged(own: readonly DiscoveredGroup[]): readonly DiscoveredGroup[]
}

export interface DiscoveryOptions {
  readonly backends: readonly Backend[]
  readonly serverAddress: () => string
  readonly priorityOf?: PriorityOf | undefined
  /** Whether the lists of built-in resources are CBOR for those who ask. */
  readonly cbor?: boolean
  /** Undefined for a server that does not ask others. */
  readonly peers?: PeerDocuments | undefined
  readonly metrics: DiscoveryMetrics
}

export function discoveryPaths(options: DiscoveryOptions): PathHandler[] {
  const { serverAddress } = options
  const documents = new Documents(options)
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
          ? documents.aggregated(aggregated.withoutPeers ? 'others' : documents.others, context, aggregated)
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

const aggregatedForm = (context: RequestContext): DiscoveryForm | undefined =>
  negotiateDiscovery(context.header('accept'), wantsPretty(context.query, context.header('user-agent')))

/** The core group is at /api, the others at /apis. */
type Part = 'core' | 'others' | 'others with peers'

interface Aggregated {
  readonly items: readonly DiscoveredGroup[]
  readonly list: unknown
  readonly etag: string
  /** The encoded documents, by form. */
  readonly bodies: Map<string, Buffer>
}

class Documents {
  readonly #backends: readonly Backend[]
  readonly #priorityOf: PriorityOf | undefined
  readonly #cbor: boolean
  readonly #peers: PeerDocuments | undefined
  readonly #metrics: DiscoveryMetrics
  #generation = -1
  #groups: ApiGroup[] = []
  readonly #aggregated = new Map<Part, Aggregated>()

  constructor({ backends, priorityOf, cbor = false, peers, metrics }: DiscoveryOptions) {
    this.#cbor = cbor
    this.#backends = backends
    this.#priorityOf = priorityOf
    this.#peers = peers
    this.#metrics = metrics
  }

  get groups(): readonly ApiGroup[] {
    const generation = generationOf(this.#backends) + (this.#peers?.generation ?? 0)
    if (this.#generation !== generation) {
      this.#generation = generation
      this.#groups = apiGroups(this.#backends, this.#priorityOf)
      this.#aggregated.clear()
    }
    return this.#groups
  }

  /** The part that clients see below /apis, unless they ask for one server alone. */
  get others(): Part {
    return this.#peers ? 'others with peers' : 'others'
  }

  aggregated(part: Part, context: RequestContext, { mediaType, pretty, withoutPeers }: DiscoveryForm): Response {
    if (withoutPeers) this.#metrics.withoutPeers.add()
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
    if (part === 'others with peers') this.#metrics.ofAllServers(known !== undefined)
    if (!known) {
      const items = this.#items(part, groups)
      const list = groupDiscoveryList(items)
      const etag = `"${createHash('sha512').update(JSON.stringify(list)).digest('hex').toUpperCase()}"`
      known = { items, list, etag, bodies: new Map() }
      this.#aggregated.set(part, known)
    }
    return known
  }

  #items(part: Part, groups: readonly ApiGroup[]): readonly DiscoveredGroup[] {
    if (part === 'others with peers') return this.#peers!.merged(this.#aggregatedList('others').items)
    this.#metrics.aggregations.add()
    return groups.filter(g => (g.name === '') === (part === 'core')).map(groupDiscovery)
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
