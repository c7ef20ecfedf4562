/** Read access to objects of other kinds, for strategies and controllers. */

import type { ResourceRef } from '../apimachinery/api/resources.js'
import type { StructType } from '../apimachinery/schema/model.js'
import type { GroupResource } from '../apimachinery/status/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import type { WatchCache } from '../storage/watch-cache.js'

/** The objects of one resource. */
export interface Objects<T = any> {
  /** The resource's name in errors. */
  readonly groupResource: GroupResource
  readonly cache: WatchCache
  get(namespace: string, name: string): CachedObject | undefined
  /** Returns a parsed object, shared and frozen: for callers that only read it. */
  read(namespace: string, name: string): T | undefined
  /** Returns the parsed objects of one namespace or of all, shared and frozen. */
  list(namespace?: string): T[]
  /** Parses the object anew: the caller may change it. */
  parse(object: CachedObject): T
  /** Returns the parsed object, shared and frozen: for callers that only read it. */
  peek(object: CachedObject): T

  /** For companion writes: the key prefix and the form in which the objects are stored. */
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
  /** Returns a resource that every server works with. Throws when it does not exist. */
  of<T>(ref: ResourceRef<T>): Objects<T>
  /** Returns a resource, or undefined when --runtime-config has switched it off. */
  ifServed<T>(ref: ResourceRef<T>): Objects<T> | undefined
  /** False for resources that --runtime-config has switched off. */
  serves(ref: ResourceRef): boolean
  resource(group: string, resource: string): Objects
  /** False for resources that --runtime-config has switched off. */
  has(group: string, resource: string): boolean
  /** Finds a resource that is served in a version. */
  find(group: string, version: string, resource: string): Objects | undefined
  /** Returns every resource that answers requests; each version of a custom resource is one. */
  served(): Iterable<ServedKind>
}
