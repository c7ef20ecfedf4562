/** Discovery as it was before aggregation: one document for each group and version. */
import type { GroupInfo, ResourceInfo, SubresourceInfo } from './api-groups.js'

const groupVersion = (group: string, version: string) => (group === '' ? version : `${group}/${version}`)

export function apiVersions(serverAddress: string): unknown {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] }
}

export function apiGroup({ name, versions }: GroupInfo): unknown {
  const list = versions.map(v => ({ groupVersion: groupVersion(name, v.name), version: v.name }))
  return { name, versions: list, preferredVersion: list[0] }
}

export function apiGroupList(groups: readonly GroupInfo[]): unknown {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(apiGroup) }
}

export function apiResourceList(group: string, version: string, resources: readonly ResourceInfo[]): unknown {
  return {
    kind: 'APIResourceList',
    // the core group's list comes without
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion(group, version),
    resources: resources.flatMap(info => [
      resourceEntry(info),
      ...info.subresources.map(sub => subresourceEntry(info, sub, group, version))
    ])
  }
}

function resourceEntry({ resource, verbs, storageVersionHash }: ResourceInfo): unknown {
  const { kind } = resource
  return {
    name: kind.resource,
    singularName: kind.singular ?? kind.kind.toLowerCase(),
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs,
    ...(kind.shortNames ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories ? { categories: kind.categories } : {}),
    ...(storageVersionHash ? { storageVersionHash } : {})
  }
}

function subresourceEntry(
  { resource }: ResourceInfo,
  { name, kind, verbs }: SubresourceInfo,
  group: string,
  version: string
): unknown {
  const foreign = kind.group !== group || kind.version !== version
  return {
    name: `${resource.resource}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(foreign ? { group: kind.group, version: kind.version } : {}),
    kind: kind.kind,
    verbs
  }
}
