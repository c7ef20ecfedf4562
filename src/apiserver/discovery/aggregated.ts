/** Aggregated discovery (KEP-3352): all groups, versions and resources in one document. */
import type { ApiGroup, ApiResource } from '../endpoints/backend.js'
import type { DiscoveredGroup, DiscoveredResource } from '../endpoints/discovery-document.js'

/** The parameters that follow the media type in the Content-Type. */
export const aggregatedParameters = ';g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

export const groupDiscoveryList = (items: readonly DiscoveredGroup[]): unknown => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items
})

export const groupDiscovery = ({ name, versions, hasRoutes }: ApiGroup): DiscoveredGroup => ({
  metadata: name === '' ? {} : { name },
  versions: versions.map(v =>
    v.remote
      ? {
          version: v.name,
          ...(v.remote.resources?.length ? { resources: v.remote.resources } : {}),
          freshness: v.remote.freshness
        }
      : { version: v.name, resources: v.resources.map(r => entry(r, name, v.name, hasRoutes)), freshness: 'Current' }
  )
})

function entry(resource: ApiResource, group: string, version: string, hasRoutes: boolean): DiscoveredResource {
  const { name, singularName, namespaced, kind, verbs, shortNames, categories, subresources } = resource
  // kube-apiserver leaves the group and version empty for a built-in kind of the document's own group version
  const reference = (k: { group: string; version: string; kind: string }) =>
    hasRoutes && k.group === group && k.version === version ? { group: '', version: '', kind: k.kind } : k
  return {
    resource: name,
    responseKind: reference({ group, version, kind }),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singularName,
    verbs,
    ...(shortNames ? { shortNames } : {}),
    ...(categories ? { categories } : {}),
    ...(subresources.length > 0
      ? { subresources: subresources.map(s => ({ subresource: s.name, responseKind: reference(s.kind), verbs: s.verbs })) }
      : {})
  }
}
