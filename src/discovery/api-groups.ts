/** What the registry serves, as discovery tells it. Made anew when the resources change. */
import { createHash } from 'node:crypto'
import type { KindDefinition, Verb } from '../registry/kind.js'
import type { Registry } from '../registry/registry.js'
import type { Resource } from '../registry/resource.js'
import { compareVersions } from '../util/version-order.js'
import { groupRank } from './priorities.js'

export interface SubresourceInfo {
  readonly name: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly verbs: readonly string[]
}

export interface ResourceInfo {
  readonly resource: Resource
  readonly verbs: readonly Verb[]
  readonly subresources: readonly SubresourceInfo[]
  /** undefined for what is not stored. */
  readonly storageVersionHash: string | undefined
}

export interface GroupInfo {
  readonly name: string
  /** The preferred version first. */
  readonly versions: readonly { readonly name: string; readonly resources: readonly ResourceInfo[] }[]
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export function apiGroups(registry: Registry): GroupInfo[] {
  const groups = new Map<string, Map<string, ResourceInfo[]>>()
  for (const resource of registry.served()) {
    let versions = groups.get(resource.group)
    if (!versions) groups.set(resource.group, (versions = new Map()))
    for (const version of resource.versions.keys()) {
      let resources = versions.get(version)
      if (!resources) versions.set(version, (resources = []))
      resources.push(describe(resource, version))
    }
  }
  return [...groups]
    .sort(([a], [b]) => groupRank(b) - groupRank(a) || byText(a, b))
    .map(([name, versions]) => ({
      name,
      versions: [...versions]
        .sort(([a], [b]) => compareVersions(a, b))
        .map(([version, resources]) => ({
          name: version,
          resources: resources.sort((a, b) => byText(a.resource.resource, b.resource.resource))
        }))
    }))
}

function describe(resource: Resource, version: string): ResourceInfo {
  const { kind } = resource
  return {
    resource,
    verbs: kind.custom ? customVerbs : [...resource.verbs].sort(),
    subresources: subresourcesOf(kind, version),
    storageVersionHash: resource.verbs.has('create') && !kind.virtual ? storageVersionHash(resource) : undefined
  }
}

/** In the order in which kube-apiserver names them. */
const customVerbs: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

const viewVerbs = ['get', 'patch', 'update']

function subresourcesOf(kind: KindDefinition, version: string): SubresourceInfo[] {
  const own = { group: kind.group, version, kind: kind.kind }
  const list: SubresourceInfo[] = Object.entries(kind.subresources?.others ?? {}).map(([name, s]) => ({
    name,
    kind: s.kind,
    verbs: [...s.verbs].sort()
  }))
  if (kind.subresources?.status) list.push({ name: 'status', kind: own, verbs: viewVerbs })
  if (kind.subresources?.scale)
    list.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: viewVerbs })
  return kind.custom ? list : list.sort((a, b) => byText(a.name, b.name))
}

/** Lets clients notice that a resource is stored in another version. */
function storageVersionHash({ kind, memoryVersion }: Resource): string {
  const { group, version } = kind.storage?.storedAs ?? { group: kind.group, version: memoryVersion.name }
  return createHash('sha256').update(`${group}/${version}/${kind.kind}`).digest().subarray(0, 8).toString('base64')
}
