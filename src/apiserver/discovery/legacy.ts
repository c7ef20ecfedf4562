/** Unaggregated discovery: one document for each group and version. */
import type { ApiGroup, ApiResource, ApiSubresource } from '../endpoints/backend.js'

const groupVersion = (group: string, version: string) => (group === '' ? version : `${group}/${version}`)

export function apiVersions(serverAddress: string): unknown {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] }
}

export function apiGroup({ name, versions }: ApiGroup): unknown {
  const list = versions.map(v => ({ groupVersion: groupVersion(name, v.name), version: v.name }))
  return { name, versions: list, preferredVersion: list[0] }
}

export function apiGroupList(groups: readonly ApiGroup[]): unknown {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) }
}

export function apiResourceList(group: string, version: string, resources: readonly ApiResource[]): unknown {
  return {
    kind: 'APIResourceList',
    // the core group's list has no apiVersion
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion(group, version),
    resources: resources.flatMap(resource => [
      resourceEntry(resource),
      ...resource.subresources.map(sub => subresourceEntry(resource, sub, group, version))
    ])
  }
}

function resourceEntry(resource: ApiResource): unknown {
  const { name, singularName, namespaced, kind, verbs, shortNames, categories, storageVersionHash } = resource
  return {
    name,
    singularName,
    namespaced,
    kind,
    verbs,
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(storageVersionHash ? { storageVersionHash } : {})
  }
}

function subresourceEntry(resource: ApiResource, { name, kind, verbs }: ApiSubresource, group: string, version: string): unknown {
  const foreign = kind.group !== group || kind.version !== version
  return {
    name: `${resource.name}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(foreign ? { group: kind.group, version: kind.version } : {}),
    kind: kind.kind,
    verbs
  }
}
