/** The objects of a cache in the order of their keys. */
import SortedBTree from 'sorted-btree'
import type { CachedObject } from './cached-object.js'

export type Tree = SortedBTree.default<string, CachedObject>
// the package is CommonJS: an ES module finds its class as the property `default` of the import
export const newTree = (): Tree => new SortedBTree.default<string, CachedObject>(undefined, byText)

/** The default compares values of any kind, which takes a noticeable part of reading many objects. */
const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const nobody = new SortedBTree.default<string, undefined>([['', undefined]])

/** Lets go of the object that was walked over last, which the package keeps, and with it all that the object reads from. */
export const forgetLastWalk = (): void => void [...nobody.values()]

/** Yields the objects whose key starts with `prefix`, in key order from `start` on. */
export function* inRange(tree: Tree, prefix: string, start: string): Generator<CachedObject> {
  for (const [key, object] of tree.entries(start)) {
    if (!key.startsWith(prefix)) return
    yield object
  }
}
