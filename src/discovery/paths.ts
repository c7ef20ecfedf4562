/** The discovery endpoints: /api, /apis and everything below that is no resource. */
import { createHash } from 'node:crypto'
import type { PathHandler } from '../endpoints/dispatch.js'
import { outputForm, respondObject, respondText } from '../endpoints/respond.js'
import { parseAccept } from '../formats/negotiate.js'
import type { Registry } from '../registry/registry.js'
import type { RequestContext, Response } from '../server/context.js'
import { methodNotAllowed, noSuchResource } from '../server/status.js'
import { aggregatedType, groupDiscoveryList } from './aggregated.js'
import { apiGroups, type GroupInfo } from './api-groups.js'
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.js'

export function discoveryPaths(registry: Registry, serverAddress: () => string): PathHandler[] {
  const documents = new Documents(registry)
  return [
    {
      path: '/api',
      handle(context) {
        if (context.request.method !== 'GET') throw methodNotAllowed()
        return wantsAggregated(context)
          ? documents.aggregated('core', context)
          : respondObject(outputForm(context), apiVersions(serverAddress()))
      }
    },
    {
      path: '/apis',
      // here and for a group alone, any method is as good as GET
      handle: context =>
        wantsAggregated(context)
          ? documents.aggregated('others', context)
          : respondObject(outputForm(context), apiGroupList(documents.groups.filter(g => g.name !== '')))
    },
    { path: '/api/', handle: context => documents.group('', context.info.path.split('/')[2]!, context) },
    {
      path: '/apis/',
      handle: context => documents.group(context.info.path.split('/')[2]!, context.info.path.split('/')[3] ?? '', context)
    }
  ]
}

/** Aggregated discovery is asked for by name; the first acceptable form wins. */
function wantsAggregated(context: RequestContext): boolean {
  const accept = context.header('accept')
  if (!accept?.includes('APIGroupDiscoveryList')) return false
  for (const { type, params } of parseAccept(accept)) {
    if (type !== 'application/json' && type !== '*/*') continue
    if (params.as === undefined) return false
    if (params.as === 'APIGroupDiscoveryList' && params.g === 'apidiscovery.k8s.io' && params.v === 'v2') return true
  }
  return false
}

class Documents {
  readonly #registry: Registry
  #generation = -1
  #groups: GroupInfo[] = []
  #aggregated = new Map<'core' | 'others', { body: Buffer; etag: string }>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  get groups(): readonly GroupInfo[] {
    if (this.#generation !== this.#registry.generation) {
      this.#generation = this.#registry.generation
      this.#groups = apiGroups(this.#registry)
      this.#aggregated.clear()
    }
    return this.#groups
  }

  aggregated(part: 'core' | 'others', context: RequestContext): Response {
    const { groups } = this
    let document = this.#aggregated.get(part)
    if (!document) {
      const body = Buffer.from(
        `${JSON.stringify(groupDiscoveryList(groups.filter(g => (g.name === '') === (part === 'core'))))}\n`
      )
      document = { body, etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"` }
      this.#aggregated.set(part, document)
    }
    const { body, etag } = document
    const headers = { 'content-type': aggregatedType, etag, vary: 'Accept', 'cache-control': 'public' }
    return context.header('if-none-match') === etag ? { status: 304, headers } : { status: 200, headers, body }
  }

  group(name: string, version: string, context: RequestContext): Response {
    const group = this.groups.find(g => g.name === name)
    if (!group) return respondText('404 page not found\n', 404)
    const form = outputForm(context)
    if (version === '' && name !== '')
      return respondObject(form, { kind: 'APIGroup', apiVersion: 'v1', ...(apiGroup(group) as object) })
    const found = group.versions.find(v => v.name === version)
    if (!found) {
      if (this.#registry.isCustom(name)) return respondText('404 page not found\n', 404)
      throw noSuchResource()
    }
    if (context.request.method !== 'GET' && !this.#registry.isCustom(name)) throw methodNotAllowed()
    return respondObject(form, apiResourceList(name, version, found.resources))
  }
}
