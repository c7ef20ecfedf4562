/** Says of each built-in resource in which version this server stores it, and which versions it reads (KEP-2339). */
import type { ServerStorageVersion, StorageVersion } from '../../api/generated/apiserverinternal-v1alpha1.js'
import * as refs from '../../api/resources.js'
import { setCommonEncodingVersion } from '../../kinds/internal/common-version.js'
import type { Client } from '../../registry/client.js'
import type { Registry } from '../../registry/registry.js'
import type { Resource } from '../../registry/resource.js'
import type { Services } from '../../registry/services.js'
import { registeredVersions } from '../../schema/registered.js'
import { equalJson } from '../../util/json.js'
import { compareVersions } from '../../util/version-order.js'

/** Writes the StorageVersions of all resources that have objects in the store. */
export async function writeStorageVersions({ registry, clock }: Services, client: Client, server: string): Promise<void> {
  const versions = registry.of(refs.storageVersions)
  await versions.cache.load()
  for (const [name, own] of storageVersionsOf(registry, server)) {
    const present = versions.read('', name)?.status.storageVersions?.find(({ apiServerID }) => apiServerID === server)
    if (equalJson(present, own)) continue
    await client.ensure(versions, '', { metadata: { name }, spec: {} } as never)
    await client.update<StorageVersion>(
      versions,
      '',
      name,
      ({ metadata, status }) => {
        status.storageVersions ??= []
        const at = status.storageVersions.findIndex(({ apiServerID }) => apiServerID === server)
        if (at < 0) status.storageVersions.push(own)
        else status.storageVersions[at] = own
        setCommonEncodingVersion(status, metadata.generation, clock.now())
      },
      'status'
    )
  }
}

/** By the name of the StorageVersion. Resources that share their storage, like Events of two groups, have one: the first's. */
function storageVersionsOf(registry: Registry, apiServerID: string): Map<string, ServerStorageVersion> {
  const sharing = new Map<string, Resource[]>()
  for (const resource of registry.all()) {
    const { kind, prefix, verbs } = resource
    if (kind.virtual || kind.custom || kind.computed || !verbs.has('create')) continue
    sharing.set(prefix, [...(sharing.get(prefix) ?? []), resource])
  }
  const found = new Map<string, ServerStorageVersion>()
  for (const resources of sharing.values()) {
    resources.sort((a, b) => (a.group < b.group ? -1 : 1))
    const resource = resources[0]!
    if (resource.versions.size === 0) continue
    const { group, kind } = resource
    const decodable = registeredVersions(group, kind.kind).sort(compareVersions)
    const others = [...Object.keys(kind.storage?.storedForms ?? {}), ...resources.slice(1).flatMap(served)]
    found.set(`${group || 'core'}.${resource.resource}`, {
      apiServerID,
      encodingVersion: encodingVersion(resource),
      decodableVersions: [...decodable.map(version => versionText(group, version)), ...others],
      servedVersions: served(resource)
    })
  }
  return found
}

const served = ({ group, versions }: Resource): string[] =>
  [...versions.keys()].sort(compareVersions).map(version => versionText(group, version))

function encodingVersion({ kind, group, memoryVersion }: Resource): string {
  const stored = kind.storage?.storedAs ?? { group, version: memoryVersion.name }
  return versionText(stored.group, stored.version)
}

const versionText = (group: string, version: string) => (group === '' ? version : `${group}/${version}`)
