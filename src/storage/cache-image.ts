/** The content of watch caches at one moment: caches of another server begin with it, instead of reading the store. */
import type { UnreadableValue } from './object-reader.js'
import type { Tree } from './object-tree.js'

/** A cache's objects are never changed, and the tree is copied on write: any number of caches share an image. */
export interface CacheImage {
  /** The revision of the store that it shows. */
  readonly revision: number
  readonly tree: Tree
  /** Number of objects in each namespace; under "" for cluster-scoped resources. */
  readonly counts: ReadonlyMap<string, number>
  /** Bytes of all objects. */
  readonly bytes: number
  /** Why each value that cannot be read is unreadable, by key. */
  readonly unreadable: ReadonlyMap<string, UnreadableValue>
}
