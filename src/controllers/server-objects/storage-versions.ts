/** Writes for each built-in resource in which version this server stores it, and which versions it can read (KEP-2339). */
import type { ServerStorageVersion, StorageVersion } from '../../apimachinery/api/generated/apiserverinternal-v1alpha1.js'
import * as refs from '../../apimachinery/api/resources.js'
import { registeredVersions } from '../../apimachinery/schema/registered.js'
import { setCommonEncodingVersion } from '../../kinds/internal/common-version.js'
import type { Client } from '../../registry/client.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import { equalJson } from '../../util/json.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { serverId } from '../../util/server-id.js'
import { compareVersions } from '../../util/version-order.js'
import { Periodic } from '../periodic.js'
import { nameOf, type StorageVersionUpdates } from './storage-version-updates.js'

/** Milliseconds between two checks of the StorageVersions, which somebody else may have changed or deleted. */
const intervalMs = 600_000

/** Writes the StorageVersions of all resources that have objects in the store, at the start and whenever they are not as they should be. */
export function storageVersionUpdater(services: Services, client: Client, updates: StorageVersionUpdates, log: Logger): Part {
  const { registry, clock, hostName } = services
  const server = serverId(hostName)
  for (const { names } of storageVersionsOf(registry, server).values()) updates.expect(names)
  return new Periodic({
    name: 'storage versions',
    async work() {
      await registry.of(refs.storageVersions).cache.load()
      let failed = false
      for (const [name, { names, own }] of storageVersionsOf(registry, server)) {
        try {
          await writeStorageVersion(services, client, name, own)
          updates.done(names)
        } catch (error) {
          failed = true
          const message = error instanceof Error ? error.message : String(error)
          updates.failed(names, message)
          log.error(`failed to update storage version for ${names[0]}: ${message}`)
        }
      }
      return failed ? retryMs : intervalMs
    },
    retryMs,
    clock,
    log
  })
}

const retryMs = 1000

async function writeStorageVersion(
  { registry, clock }: Services,
  client: Client,
  name: string,
  own: ServerStorageVersion
): Promise<void> {
  const versions = registry.of(refs.storageVersions)
  const present = versions.read('', name)?.status.storageVersions?.find(({ apiServerID }) => apiServerID === own.apiServerID)
  if (equalJson(present, own)) return
  await client.ensure(versions, '', { metadata: { name }, spec: {} } as never)
  await client.update<StorageVersion>(
    versions,
    '',
    name,
    ({ metadata, status }) => {
      status.storageVersions ??= []
      const at = status.storageVersions.findIndex(({ apiServerID }) => apiServerID === own.apiServerID)
      if (at < 0) status.storageVersions.push(own)
      else status.storageVersions[at] = own
      setCommonEncodingVersion(status, metadata.generation, clock.now())
    },
    'status'
  )
}

interface StoredResource {
  /** The resources that share the storage: "events", "events.events.k8s.io". */
  readonly names: readonly string[]
  readonly own: ServerStorageVersion
}

/**
 * Returns the StorageVersions by name. Resources that share their storage, like Events of two groups, have one: that of the
 * first.
 */
function storageVersionsOf(registry: Registry, apiServerID: string): Map<string, StoredResource> {
  const sharing = new Map<string, Resource[]>()
  for (const resource of registry.all()) {
    const { kind, prefix, verbs } = resource
    if (kind.virtual || kind.custom || kind.computed || !verbs.has('create')) continue
    sharing.set(prefix, [...(sharing.get(prefix) ?? []), resource])
  }
  const found = new Map<string, StoredResource>()
  for (const resources of sharing.values()) {
    resources.sort((a, b) => (a.group < b.group ? -1 : 1))
    const resource = resources[0]!
    if (resource.versions.size === 0) continue
    const { group, kind } = resource
    const decodable = registeredVersions(group, kind.kind).sort(compareVersions)
    const others = [...Object.keys(kind.storage?.storedForms ?? {}), ...resources.slice(1).flatMap(served)]
    found.set(`${group || 'core'}.${resource.resource}`, {
      names: resources.map(shared => nameOf(shared.group, shared.resource)),
      own: {
        apiServerID,
        encodingVersion: versionText(resource.storageVersion.group, resource.storageVersion.version),
        decodableVersions: [...decodable.map(version => versionText(group, version)), ...others],
        servedVersions: served(resource)
      }
    })
  }
  return found
}

const served = ({ group, versions }: Resource): string[] =>
  [...versions.keys()].sort(compareVersions).map(version => versionText(group, version))

const versionText = (group: string, version: string) => (group === '' ? version : `${group}/${version}`)

/** Whether servers write StorageVersions at all. */
export const tellsStorageVersions = ({ features, registry }: Services) =>
  features.enabled('StorageVersionAPI') && features.enabled('APIServerIdentity') && registry.serves(refs.storageVersions)
