/** How strategies and controllers look at objects of other kinds: they read, and know nothing of strategies. */
import type { GroupResource } from '../status/status.js'
import type { CachedObject } from '../storage/cached-object.js'
import type { WatchCache } from '../storage/watch-cache.js'

/** The objects of one resource. */
export interface Objects {
  /** The resource's name in errors. */
  readonly groupResource: GroupResource
  readonly cache: WatchCache
  get(namespace: string, name: string): CachedObject | undefined
  /** The parsed object, fresh: the caller may change it. */
  parse(object: CachedObject): any
  /** The parsed object for those who only look at it: shared and frozen. */
  peek(object: CachedObject): any
}

export interface Lookup {
  /** A resource that every server works with. Throws where it does not exist. */
  resource(group: string, resource: string): Objects
  /** False for resources that --runtime-config has switched off. */
  has(group: string, resource: string): boolean
  /** A resource that is served in a version. */
  find(group: string, version: string, resource: string): Objects | undefined
}
