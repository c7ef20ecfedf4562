import type { DiscoveredResource } from '../endpoints/discovery-document.js'
import type { ApiServiceTable, RemoteVersion } from './api-service-table.js'
import type { RemoteDiscovery } from './remote-discovery.js'

export interface RemoteResource {
  readonly remote: RemoteVersion
  readonly resource: DiscoveredResource
}

/** Returns the resources of other servers, each once, in the version that discovery prefers. */
export function preferredResources(table: ApiServiceTable, discovery: RemoteDiscovery): Iterable<RemoteResource> {
  const found = new Map<string, RemoteResource>()
  const priority = ({ group, version }: RemoteVersion) => table.priority(group, version)?.version ?? 0
  for (const remote of [...table.all()].sort((a, b) => priority(b) - priority(a)))
    for (const resource of discovery.of(remote.name)?.resources ?? []) {
      const key = `${resource.resource}.${remote.group}`
      if (!found.has(key)) found.set(key, { remote, resource })
    }
  return found.values()
}
