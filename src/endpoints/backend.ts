/**
 * A backend serves the resources of some API groups: the built-in kinds, the custom resources with the kinds of the embedding
 * program, and one day other API servers. Dispatch, discovery and OpenAPI know nothing else of them.
 */
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'

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
  /** undefined for resources that are not stored. */
  readonly storageVersionHash: string | undefined
}

/** The part of the OpenAPI v2 document that one group version brings: names with JSON. */
export interface OpenApiV2Part {
  readonly paths: ReadonlyMap<string, string>
  /** Types are shared: every part brings all that it needs. */
  readonly definitions: ReadonlyMap<string, string>
  readonly parameters: ReadonlyMap<string, string>
}

/** Makes the OpenAPI documents of a group version, when somebody asks for them. */
export interface OpenApiSource {
  /** The same parts, one by one, mean the same documents. */
  readonly parts: readonly unknown[]
  /** The OpenAPI v3 document. */
  v3(): unknown
  v2(): OpenApiV2Part
}

export interface ApiGroupVersion {
  readonly name: string
  readonly resources: readonly ApiResource[]
  readonly openApi: OpenApiSource
}

export interface ApiGroup {
  readonly name: string
  /**
   * Its versions have routes, as the built-in ones in kube-apiserver: these look at methods and headers before anything else, answer
   * 404 with a Status, and stand in `/`. Custom resources have none.
   */
  readonly hasRoutes: boolean
  /** The preferred version first. */
  readonly versions: readonly ApiGroupVersion[]
}

export interface Backend {
  readonly name: string
  /** Grows whenever the backend serves other resources than before. */
  readonly generation: number
  groups(): readonly ApiGroup[]
  hasGroup(group: string): boolean
  /** Answers a request for one of its resources; undefined when it does not serve the request's resource. */
  handle(context: RequestContext): Response | Promise<Response> | undefined
  /** Answers a request for a resource that its group does not have. */
  missing(context: RequestContext): Response
}

/** Grows whenever one of the backends serves other resources than before. */
export const generationOf = (backends: readonly Backend[]): number =>
  backends.reduce((sum, { generation }) => sum + generation, 0)
