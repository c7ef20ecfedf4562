/** Describes the resources of a registry by their groups and versions. */
import { createHash } from 'node:crypto'
import type { KindDefinition } from '../../registry/kind.js'
import type { Resource } from '../../registry/resource.js'
import { compareVersions } from '../../util/version-order.js'
import type { ApiResource, ApiSubresource } from '../endpoints/backend.js'

export interface ResourceInfo extends ApiResource {
  readonly resource: Resource
}

export interface GroupInfo {
  readonly name: string
  /** Whether its resources are served as CBOR, too. */
  readonly cbor?: boolean
  /** The preferred version first. */
  readonly versions: readonly { readonly name: string; readonly resources: readonly ResourceInfo[] }[]
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** `hashes`: whether resources tell the hash of their storage version. */
export function resourceGroups(served: Iterable<Resource>, hashes = true): GroupInfo[] {
  const groups = new Map<string, Map<string, ResourceInfo[]>>()
  for (const resource of served) {
    let versions = groups.get(resource.group)
    if (!versions) groups.set(resource.group, (versions = new Map()))
    for (const version of resource.versions.keys()) {
      let resources = versions.get(version)
      if (!resources) versions.set(version, (resources = []))
      resources.push(describe(resource, version, hashes))
    }
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .sort(([a], [b]) => compareVersions(a, b))
      .map(([version, resources]) => ({ name: version, resources: resources.sort((a, b) => byText(a.name, b.name)) }))
  }))
}

function describe(resource: Resource, version: string, hashes: boolean): ResourceInfo {
  const { kind } = resource
  return {
    resource,
    name: kind.resource,
    singularName: kind.singular ?? kind.kind.toLowerCase(),
    kind: kind.kind,
    namespaced: kind.namespaced,
    verbs: kind.custom ? customVerbs : [...resource.verbs].sort(),
    shortNames: kind.shortNames,
    categories: kind.categories,
    subresources: subresourcesOf(kind, version),
    storageVersionHash: hashes && resource.verbs.has('create') && !kind.virtual ? storageVersionHash(resource) : undefined
  }
}

/** The verbs of custom resources, in kube-apiserver's order. */
const customVerbs: readonly string[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

const viewVerbs = ['get', 'patch', 'update']

function subresourcesOf(kind: KindDefinition, version: string): ApiSubresource[] {
  const own = { group: kind.group, version, kind: kind.kind }
  const list: ApiSubresource[] = Object.entries(kind.subresources?.others ?? {}).map(([name, s]) => ({
    name,
    kind: s.kind,
    verbs: [...s.verbs].sort()
  }))
  if (kind.subresources?.status) list.push({ name: 'status', kind: own, verbs: viewVerbs })
  if (kind.subresources?.scale)
    list.push({ name: 'scale', kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: viewVerbs })
  return kind.custom ? list : list.sort((a, b) => byText(a.name, b.name))
}

/** Hashes a resource's storage version, so that clients notice when it changes. */
function storageVersionHash({ kind, storageVersion: { group, version } }: Resource): string {
  return createHash('sha256').update(`${group}/${version}/${kind.kind}`).digest().subarray(0, 8).toString('base64')
}
