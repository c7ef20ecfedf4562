/** Aggregated discovery (KEP-3352): everything about all groups in one document. */
import type { GroupInfo, ResourceInfo } from './api-groups.js'

/** What the content type says beside the media type. */
export const aggregatedParameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

export function groupDiscoveryList(groups: readonly GroupInfo[]): unknown {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(({ name, versions }) => ({
      metadata: name === '' ? {} : { name },
      versions: versions.map(v => ({
        version: v.name,
        resources: v.resources.map(r => entry(r, name, v.name)),
        freshness: 'Current'
      }))
    }))
  }
}

function entry({ resource, verbs, subresources }: ResourceInfo, group: string, version: string): unknown {
  const { kind } = resource
  // a built-in kind of the document's own group and version is not spelled out
  const reference = (k: { group: string; version: string; kind: string }) =>
    !kind.custom && k.group === group && k.version === version ? { group: '', version: '', kind: k.kind } : k
  return {
    resource: kind.resource,
    responseKind: reference({ group, version, kind: kind.kind }),
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular ?? kind.kind.toLowerCase(),
    verbs,
    ...(kind.shortNames ? { shortNames: kind.shortNames } : {}),
    ...(kind.categories ? { categories: kind.categories } : {}),
    ...(subresources.length > 0
      ? { subresources: subresources.map(s => ({ subresource: s.name, responseKind: reference(s.kind), verbs: s.verbs })) }
      : {})
  }
}
