/** How strategies and controllers look at objects of other kinds: they read, and know nothing of strategies. */

import type { ResourceRef } from '../api/resources.js'
import type { StructType } from '../schema/model.js'
import type { GroupResource } from '../status/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import type { WatchCache } from '../storage/watch-cache.js'

/** The objects of one resource. */
export interface Objects<T = any> {
  /** The resource's name in errors. */
  readonly groupResource: GroupResource
  readonly cache: WatchCache
  get(namespace: string, name: string): CachedObject | undefined
  /** An object, parsed, for those who only look at it: shared and frozen. */
  read(namespace: string, name: string): T | undefined
  /** The objects of a namespace, or of all; as with `read`. */
  list(namespace?: string): T[]
  /** The parsed object, fresh: the caller may change it. */
  parse(object: CachedObject): T
  /** The parsed object for those who only look at it: shared and frozen. */
  peek(object: CachedObject): T

  /** For companion writes: where and in which form the objects lie in the store. */
  readonly prefix: string
  readonly form: { encode(object: any): Buffer }
  readonly memoryVersion: { readonly name: string }
  type(version: string): StructType
  apiVersion(version: string): string
}

export interface ServedKind {
  readonly group: string
  readonly resource: string
  readonly versions: { has(version: string): boolean }
  readonly kind: { readonly kind: string }
}

export interface Lookup {
  /** A resource that every server works with. Throws where it does not exist. */
  of<T>(ref: ResourceRef<T>): Objects<T>
  /** The same for a resource that --runtime-config may have switched off: undefined then. */
  ifServed<T>(ref: ResourceRef<T>): Objects<T> | undefined
  /** False for resources that --runtime-config has switched off. */
  serves(ref: ResourceRef): boolean
  resource(group: string, resource: string): Objects
  /** False for resources that --runtime-config has switched off. */
  has(group: string, resource: string): boolean
  /** A resource that is served in a version. */
  find(group: string, version: string, resource: string): Objects | undefined
  /** Every resource that answers requests: of a custom one, each version. */
  served(): Iterable<ServedKind>
}
