/** Owners and dependents on extension API servers, for the garbage collector. */
import type { OwnerReference } from '../../apimachinery/api/generated/meta-v1.js'
import type { RemoteDependent, RemoteGarbage } from '../../controllers/remote-content.js'
import type { Clock } from '../../util/clock.js'
import type { DiscoveredResource } from '../endpoints/discovery-document.js'
import type { ApiServiceTable, RemoteVersion } from './api-service-table.js'
import { preferredResources, type RemoteResource } from './preferred-resources.js'
import type { RemoteConnections } from './remote-connections.js'
import type { RemoteDiscovery } from './remote-discovery.js'
import { RemoteObjects } from './remote-objects.js'
import type { RemoteMetadata } from './remote-watch.js'
import { keyOf, RemoteWatches } from './remote-watches.js'

export interface RemoteGarbageOptions {
  readonly table: ApiServiceTable
  readonly discovery: RemoteDiscovery
  readonly connections: RemoteConnections
  readonly clock: Clock
}

export function remoteGarbage({ table, discovery, connections, clock }: RemoteGarbageOptions): RemoteGarbage {
  const objects = new RemoteObjects(connections)
  let watches: RemoteWatches | undefined

  const dependentOf = (of: RemoteResource, metadata: RemoteMetadata): RemoteDependent => ({
    uid: metadata.uid!,
    namespace: metadata.namespace ?? '',
    isDeleting: metadata.deletionTimestamp !== undefined,
    owners: metadata.ownerReferences ?? [],
    async latest() {
      const found = await objects.get(of, metadata.namespace ?? '', metadata.name ?? '')
      if (found === 'unknown') throw new Error(`reading ${metadata.namespace ?? ''}/${metadata.name}: no answer`)
      return found === 'absent' || found.uid !== metadata.uid ? undefined : dependentOf(of, found)
    },
    delete: () => objects.delete(of, metadata),
    leave: owner => objects.leaveOwner(of, metadata, owner)
  })

  async function* dependents(): AsyncGenerator<RemoteDependent> {
    const { signal } = new AbortController()
    let failure: unknown
    for (const of of preferredResources(table, discovery)) {
      const { verbs } = of.resource
      if (!verbs.includes('delete') || !verbs.includes('list') || watches?.isWatching(keyOf(of))) continue
      try {
        for await (const { items = [] } of objects.list(of, signal))
          for (const { metadata = {} } of items)
            if (metadata.uid !== undefined && metadata.deletionTimestamp === undefined && metadata.ownerReferences?.length)
              yield dependentOf(of, metadata)
      } catch (error) {
        // objects on other servers do not wait for this one
        failure = error
      }
    }
    if (failure) throw failure
  }

  const find = ({ apiVersion, kind }: OwnerReference): { remote: RemoteVersion; resource: DiscoveredResource } | undefined => {
    const slash = apiVersion.indexOf('/')
    const remote = table.find(apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1))
    const known = remote && discovery.of(remote.name)
    if (!remote || known?.freshness !== 'Current') return undefined
    const resource = known.resources?.find(({ responseKind }) => responseKind.kind === kind)
    return resource && { remote, resource }
  }

  return {
    get isEmpty() {
      return table.isEmpty
    },
    dependents,
    async standing(owner, namespace) {
      const found = find(owner)
      if (!found || (found.resource.scope === 'Namespaced' && namespace === '')) return 'unknown'
      const metadata = await objects.get(found, namespace, owner.name)
      if (metadata === 'absent' || metadata === 'unknown') return metadata
      return metadata.uid === owner.uid ? 'solid' : 'absent'
    },
    isFollowed(owner) {
      const found = find(owner)
      return found !== undefined && watches?.isWatching(keyOf(found)) === true
    },
    follow(follower) {
      const own = new RemoteWatches({ table, discovery, objects, clock, follower, dependentOf })
      watches = own
      return {
        close() {
          own.close()
          if (watches === own) watches = undefined
        }
      }
    }
  }
}
