/** Removes servers that are gone from StorageVersions, and StorageVersions without servers. */
import type { StorageVersion } from '../apimachinery/api/generated/apiserverinternal-v1alpha1.js'
import * as refs from '../apimachinery/api/resources.js'
import { StatusError } from '../apimachinery/status/status.js'
import { setCommonEncodingVersion } from '../kinds/internal/common-version.js'
import type { Client } from '../registry/client.js'
import type { Services } from '../registry/services.js'
import type { Logger } from '../util/logger.js'
import { component } from '../util/server-id.js'
import { Controller } from './controller.js'
import { identityLabel, isExpired, leaseNamespace } from './server-objects/server-identity.js'

/** Milliseconds between two looks for Leases that are no longer renewed. */
const expiryMs = 3_600_000

export function storageVersionCollector({ registry, clock, queues }: Services, client: Client, log: Logger): Controller {
  const versions = registry.of(refs.storageVersions)
  const leases = registry.of(refs.leases)
  const isAlive = ({ apiServerID = '' }) => {
    const lease = leases.read(leaseNamespace, apiServerID)
    return lease?.metadata.labels?.[identityLabel] === component && !isExpired(lease, clock.now())
  }
  const collect = async (name: string): Promise<number | undefined> => {
    const version = versions.read('', name)
    const servers = version?.status.storageVersions ?? []
    if (!version || servers.length === 0) return undefined
    if (servers.every(isAlive)) return expiryMs
    const { resourceVersion, uid } = version.metadata
    try {
      if (!servers.some(isAlive)) await client.delete(versions, '', name, { preconditions: { uid, resourceVersion } })
      else
        await client.update<StorageVersion>(
          versions,
          '',
          name,
          ({ metadata, status }) => {
            status.storageVersions = (status.storageVersions ?? []).filter(isAlive)
            setCommonEncodingVersion(status, metadata.generation, clock.now())
          },
          'status'
        )
    } catch (error) {
      // the server may have written it again, or another one deleted it
      if (!(error instanceof StatusError && (error.code === 404 || error.code === 409))) throw error
    }
    return undefined
  }
  const controller: Controller = new Controller({
    name: 'storageversion-garbage-collector-controller',
    queue: 'storage_version_garbage_collector_storageversions',
    watches: [
      { resource: versions, keyOf: key => key },
      // a Lease's key contains a namespace, and no StorageVersion has one
      { resource: leases, keyOf: key => (key.startsWith(`${leaseNamespace}/apiserver-`) ? key : undefined) }
    ],
    async reconcile(key) {
      const slash = key.indexOf('/')
      if (slash < 0) return collect(key)
      if (leases.read(leaseNamespace, key.slice(slash + 1))) return undefined
      for (const { name } of [...versions.cache.range('')]) controller.enqueue(name)
      return undefined
    },
    clock,
    queues,
    log
  })
  return controller
}
