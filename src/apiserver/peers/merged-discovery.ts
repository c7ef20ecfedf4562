/**
 * Joins what all API servers over a store say of their resources to one document (KEP-4020, peer-aggregated discovery). Servers are
 * taken in the order of their names, so that all of them make the same document.
 */
import { isDeepStrictEqual } from 'node:util'
import type {
  DiscoveredGroup,
  DiscoveredResource,
  DiscoveredSubresource,
  DiscoveredVersion
} from '../endpoints/discovery-document.js'
import { mergedOrder } from './merged-order.js'

type Groups = readonly DiscoveredGroup[]

/** `own` are the groups of this server, `others` those of the other servers by their names. */
export function mergedDiscovery(ownName: string, own: Groups, others: ReadonlyMap<string, Groups>): Groups {
  if (others.size === 0) return own
  const servers = [...others, [ownName, own] as const].sort(([a], [b]) => (a < b ? -1 : 1))
  return merged(
    servers.map(([, groups]) => groups),
    group => group.metadata.name ?? '',
    (one, other) => ({ ...one, versions: mergedVersions(one.versions, other.versions) })
  )
}

const mergedVersions = (one: readonly DiscoveredVersion[], other: readonly DiscoveredVersion[]) =>
  merged(
    [one, other],
    version => version.version,
    (a, b) => {
      const resources = mergedResources(a.resources ?? [], b.resources ?? [])
      return resources.length > 0 ? { ...a, resources } : a
    }
  )

const mergedResources = (one: readonly DiscoveredResource[], other: readonly DiscoveredResource[]) =>
  merged([one, other], resource => resource.resource, mergedCapabilities)

/** What any server can do with a resource, clients can. */
function mergedCapabilities(one: DiscoveredResource, other: DiscoveredResource): DiscoveredResource {
  if (isDeepStrictEqual(one, other)) return one
  const subresources = new Map<string, DiscoveredSubresource>()
  for (const each of [...(one.subresources ?? []), ...(other.subresources ?? [])]) subresources.set(each.subresource, each)
  const sorted = [...subresources.values()].sort((a, b) => (a.subresource < b.subresource ? -1 : 1))
  return {
    ...one,
    verbs: [...new Set([...one.verbs, ...other.verbs])].sort(),
    ...(sorted.length > 0 ? { subresources: sorted } : {})
  }
}

/** Joins lists: items of the same name become one, in an order that agrees with all lists. */
function merged<T>(lists: readonly (readonly T[])[], nameOf: (item: T) => string, join: (one: T, other: T) => T): readonly T[] {
  const items = new Map<string, T>()
  for (const list of lists)
    for (const item of list) {
      const known = items.get(nameOf(item))
      items.set(nameOf(item), known === undefined ? item : join(known, item))
    }
  return mergedOrder(lists.map(list => list.map(nameOf))).map(name => items.get(name)!)
}
