/** The group versions of extension API servers, as a backend for dispatch and discovery. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { ApiGroup, Backend } from '../endpoints/backend.js'
import { pageNotFound } from '../endpoints/route-rules.js'
import type { ApiServiceTable } from './api-service-table.js'
import type { AnswerRemote } from './proxy-to-api-services.js'
import type { RemoteDiscovery } from './remote-discovery.js'
import type { RemoteOpenApi } from './remote-openapi.js'

export interface RemoteBackendOptions {
  readonly table: ApiServiceTable
  readonly discovery: RemoteDiscovery
  readonly openApi: RemoteOpenApi
  readonly answer: AnswerRemote
}

export function remoteBackend({ table, discovery, openApi, answer }: RemoteBackendOptions): Backend {
  return {
    name: 'APIServices',
    documents: openApi,
    get generation() {
      return table.generation + discovery.generation + openApi.generation
    },
    groups() {
      const groups = new Map<string, ApiGroup['versions'][number][]>()
      for (const { name, group, version } of table.all()) {
        const versions = groups.get(group) ?? []
        groups.set(group, versions)
        const { resources, freshness } = discovery.of(name) ?? { resources: undefined, freshness: 'Stale' as const }
        versions.push({ name: version, resources: [], openApi: undefined, remote: { resources, freshness } })
      }
      return [...groups].map(([name, versions]) => ({ name, hasRoutes: false, versions }))
    },
    // a group version that nobody serves has no page, even when another server serves other versions of the group
    hasGroup: () => false,
    handle: answer,
    handlePath: answer,
    missing: (_: RequestContext): Response => pageNotFound()
  }
}
