/** The messages of aggregated discovery (apidiscovery.k8s.io/v2), which no OpenAPI document describes. */
import { loadSchema } from '../../schema/load.js'
import type { StructType } from '../../schema/model.js'
import { listOf, messageType, scalarType } from './message-type.js'

export function groupDiscoveryListType(): StructType {
  const schema = loadSchema()
  const string = scalarType('string')
  const strings = listOf(string)
  const groupVersionKind = messageType('GroupVersionKind', {
    group: { number: 1, type: string },
    version: { number: 2, type: string },
    kind: { number: 3, type: string }
  })
  const subresource = messageType('APISubresourceDiscovery', {
    subresource: { number: 1, type: string },
    responseKind: { number: 2, type: groupVersionKind, optional: true },
    acceptedTypes: { number: 3, type: listOf(groupVersionKind) },
    verbs: { number: 4, type: strings }
  })
  const resource = messageType('APIResourceDiscovery', {
    resource: { number: 1, type: string },
    responseKind: { number: 2, type: groupVersionKind, optional: true },
    scope: { number: 3, type: string },
    singularResource: { number: 4, type: string },
    verbs: { number: 5, type: strings },
    shortNames: { number: 6, type: strings },
    categories: { number: 7, type: strings },
    subresources: { number: 8, type: listOf(subresource) }
  })
  const version = messageType('APIVersionDiscovery', {
    version: { number: 1, type: string },
    resources: { number: 2, type: listOf(resource) },
    freshness: { number: 3, type: string }
  })
  const group = messageType('APIGroupDiscovery', {
    metadata: { number: 1, type: schema.type('meta.v1.ObjectMeta') },
    versions: { number: 2, type: listOf(version) }
  })
  return messageType('APIGroupDiscoveryList', {
    metadata: { number: 1, type: schema.type('meta.v1.ListMeta') },
    items: { number: 2, type: listOf(group) }
  })
}
