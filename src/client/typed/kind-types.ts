/** What clients take and return, by kind. */
import type { ObjectName, ObjectOptions, SubresourceClient } from '../types.js'
import type { Draft, MergePatch, StrategicPatch } from './draft.js'
import type { Scale } from './generated/api.js'
import type { BuiltinClients } from './generated/kinds.js'
import type { NamedMetadata, NewMetadata, ObjectMetadata } from './metadata.js'

export type { SubresourceClient }

/**
 * An object of any kind as the server answers with it. Extend it for a kind of your own.
 *
 * @example
 * interface Course extends KubeObject {
 *   spec: { seats: number }
 * }
 */
export interface KubeObject {
  kind: string
  apiVersion: string
  metadata: ObjectMetadata
}

/**
 * The types of a kind: of what the server answers, of what it takes for a new object, of what can be applied, the clients of its
 * subresources, and what replaces an object or is merged with it.
 *
 * @example
 * type PodDraft = BuiltinClients['v1']['Pod']['create']
 */
export interface KindTypes<
  T = any,
  Create = any,
  Apply = any,
  Subresources = any,
  Update = Named<Create>,
  Merge = MergePatch<Create>,
  Strategic = StrategicPatch<Create>
> {
  object: T
  create: Create
  apply: Apply
  subresources: Subresources
  update: Update
  merge: Merge
  strategic: Strategic
}

/**
 * An object that has a name: what replaces another.
 *
 * @example
 * const pod: Named<PodDraft> = { metadata: { name: 'web' }, spec }
 */
export type Named<T> = T & { readonly metadata: NamedMetadata }

/**
 * The types of a built-in kind.
 *
 * @example
 * type Eviction = BuiltinClients['v1']['Pod']['subresources']['eviction']
 */
export interface BuiltinTypes<T, Create, Apply, Subresources> extends KindTypes<T, Create, Apply, Subresources> {}

/** The types of any kind. */
export type AnyTypes = KindTypes<any, any, any, any, any, any, any>

/** A kind without subresources. */
export type NoSubresources = Record<never, never>

/**
 * The requests for a subresource that is a text.
 *
 * @example
 * const text: string = await client.of('v1', 'Pod').subresource('log').get('web', { query: { container: 'web' } })
 */
export interface TextClient {
  get(object: ObjectName, options?: ObjectOptions): Promise<string>
}

/**
 * A new object of a kind of your own: the fields that the server wants are those of its schema, which TypeScript does not know.
 *
 * @example
 * const course: NewObject<Course> = { metadata: { generateName: 'course-' }, spec: { seats: 20 } }
 */
export type NewObject<T> = Draft<T> & { metadata: NewMetadata }

/**
 * Any part of an object that has a name.
 *
 * @example
 * const course: AppliedObject<Course> = { metadata: { name: 'algebra' } }
 */
export type AppliedObject<T> = Draft<T> & { metadata: NamedMetadata }

/**
 * The subresources of a kind of your own.
 *
 * @example
 * type Status = OwnSubresources<Course>['status']
 */
export interface OwnSubresources<T> {
  status: SubresourceClient<T>
  scale: SubresourceClient<Scale>
}

/** The types of a kind of your own, or of one that TypeScript knows nothing about. */
export interface OwnTypes<T>
  extends KindTypes<
    T,
    NewObject<T>,
    AppliedObject<T>,
    string extends keyof T ? Record<string, SubresourceClient<T>> : OwnSubresources<T>
  > {}

/** The types of the kind of an object: those of a built-in kind are found by its apiVersion and kind. */
export type TypesFor<T> = T extends { apiVersion: infer V extends keyof BuiltinClients; kind: infer K }
  ? K extends keyof BuiltinClients[V]
    ? BuiltinClients[V][K] extends infer Types extends AnyTypes
      ? Types
      : never
    : OwnTypes<T>
  : OwnTypes<T>

/** The types that a declared kind brings, or those of its objects. */
export type TypesOf<T, Types> = Types extends AnyTypes ? Types : TypesFor<T>
