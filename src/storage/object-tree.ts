/** The objects of a cache in the order of their keys. */
import SortedBTree from 'sorted-btree'

import { compareUtf8 } from '../util/go-format.js'
import type { CachedObject } from './cached-object.js'
import { orderKey } from './keys.js'

/** By orderKey(key), so that objects come in the order of their keys' bytes, as from etcd. */
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
  const within = orderKey(prefix)
  for (const [key, object] of tree.entries(orderKey(start))) {
    if (!key.startsWith(within)) return
    yield object
  }
}

/** Sorts objects by their keys as a tree does, in place. */
export function sortByKey<T extends { readonly key: string }>(objects: T[]): T[] {
  objects.sort((a, b) => byText(a.key, b.key))
  // only surrogates sort otherwise in UTF-16 than in bytes
  return objects.some(({ key }) => surrogate.test(key)) ? objects.sort((a, b) => compareUtf8(a.key, b.key)) : objects
}

const surrogate = /[\ud800-\udfff]/
