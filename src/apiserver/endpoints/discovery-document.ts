/** The types of the document of aggregated discovery (apidiscovery.k8s.io/v2, KEP-3352). */

export interface DiscoveredKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export interface DiscoveredSubresource {
  readonly subresource: string
  readonly responseKind: DiscoveredKind
  readonly acceptedTypes?: readonly DiscoveredKind[]
  readonly verbs: readonly string[]
}

/** A resource as aggregated discovery shows it. */
export interface DiscoveredResource {
  readonly resource: string
  readonly responseKind: DiscoveredKind
  readonly scope: string
  readonly singularResource: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly subresources?: readonly DiscoveredSubresource[]
}

/** A version of a group as aggregated discovery shows it. */
export interface DiscoveredVersion {
  readonly version: string
  readonly resources?: readonly DiscoveredResource[]
  readonly freshness: string
}

/** A group as aggregated discovery shows it. */
export interface DiscoveredGroup {
  readonly metadata: { readonly name?: string }
  readonly versions: readonly DiscoveredVersion[]
}
