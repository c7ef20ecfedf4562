/**
 * A backend serves the resources of some API groups: the built-in kinds, or the custom resources and the kinds of the embedding
 * program. Dispatch, discovery and OpenAPI reach every API group through this interface.
 */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { Services } from '../../registry/services.js'
import type { DiscoveredResource } from './discovery-document.js'

export interface ApiSubresource {
  readonly name: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly verbs: readonly string[]
}

/** A resource in one version, as discovery shows it. */
export interface ApiResource {
  /** The plural. */
  readonly name: string
  readonly singularName: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[] | undefined
  readonly categories?: readonly string[] | undefined
  readonly subresources: readonly ApiSubresource[]
  /** Undefined for resources that are not stored. */
  readonly storageVersionHash: string | undefined
}

/** The part of the OpenAPI v2 document that one group version contributes: maps from names to JSON. */
export interface OpenApiV2Part {
  readonly paths: ReadonlyMap<string, string>
  /** Every part contains all definitions that it refers to, so parts may share some. */
  readonly definitions: ReadonlyMap<string, string>
  readonly parameters: ReadonlyMap<string, string>
}

/** Builds the OpenAPI documents of a group version on request. */
export interface OpenApiSource {
  /** Identifies the documents: they have not changed if each part is still the same. */
  readonly parts: readonly unknown[]
  /** The OpenAPI v3 document. `release`: the emulated one, `1.36`. */
  v3(release: string): unknown
  v2(): OpenApiV2Part
}

export interface ApiGroupVersion {
  readonly name: string
  readonly resources: readonly ApiResource[]
  /** Undefined for a version that another server serves and describes. */
  readonly openApi: OpenApiSource | undefined
  /** What another server says of its resources, in the form of aggregated discovery; set instead of `resources`. */
  readonly remote?: { readonly resources: readonly DiscoveredResource[] | undefined; readonly freshness: 'Current' | 'Stale' }
}

export interface ApiGroup {
  readonly name: string
  /**
   * Whether its versions have routes, as built-in ones have in kube-apiserver. Routes check methods and headers first, answer
   * 404 with a Status, and are listed at `/`. Custom resources have none.
   */
  readonly hasRoutes: boolean
  /** The preferred version first. */
  readonly versions: readonly ApiGroupVersion[]
}

/** The OpenAPI documents of other servers. */
export interface RemoteDocuments {
  /** The addresses of OpenAPI v3 documents by path, such as "apis/apps/v1". */
  v3Addresses(): Iterable<readonly [path: string, address: string]>
  /** Answers a request for an OpenAPI v3 document; undefined when no other server has it. */
  answerV3(context: RequestContext, path: string): Promise<Response> | undefined
  /** The OpenAPI v2 documents, of which only the paths with the prefix count. */
  v2Documents(): Iterable<{ readonly prefix: string; readonly document: unknown }>
}

export interface Backend {
  readonly name: string
  /** Where the backend has documents of other servers. */
  readonly documents?: RemoteDocuments | undefined
  /** Increases whenever the set of served resources changes. */
  readonly generation: number
  groups(): readonly ApiGroup[]
  hasGroup(group: string): boolean
  /** Answers a request for one of its resources. Returns undefined when the backend does not serve the resource. */
  handle(context: RequestContext): Response | Promise<Response> | undefined
  /** Answers a path that names no resource, if it is below one of its group versions: they are another server's. */
  handlePath?(context: RequestContext): Response | Promise<Response> | undefined
  /** Answers a request for a resource that none of its groups has. */
  missing(context: RequestContext): Response
  /** The same backend with other services, for the objects of a set. Left out by a backend that stores nothing here. */
  withServices?(services: Services): Backend
}

/** Returns a number that increases whenever a backend's set of served resources changes. */
export const generationOf = (backends: readonly Backend[]): number =>
  backends.reduce((sum, { generation }) => sum + generation, 0)
