/** Orders merged lists: elements of the patch in the order that the patch gives, the others where they were. */
import { goType, goValue } from '../../util/go-format.js'
import { getKey, isObject, type JsonObject } from '../../util/json.js'
import { failedPatch, panickedPatch } from './patch-error.js'

/** Most elements for which the original's sort is simulated when the order lacks some of them. */
const maxSimulatedSort = 1000

/** The elements of a list that the patch's order names, and the others. */
export interface Parts {
  readonly ordered: readonly unknown[]
  readonly others: readonly unknown[]
}

/**
 * Sorts both parts, one by the order of the patch and the other by the server's previous order, and merges them. Where the
 * server's order does not contain both elements, the patch's element comes first.
 */
export function arrange(
  parts: Parts,
  patchOrder: readonly unknown[],
  serverOrder: readonly unknown[],
  mergeKey: string,
  kind: 'map' | 'scalar'
): unknown[] {
  // maps without a merge key have no order
  if (kind === 'map')
    for (const list of [parts.ordered, patchOrder, parts.others, serverOrder])
      for (const item of list) mergeKeyOf(objectElement(item), mergeKey)
  const serverPositions = positions(serverOrder, mergeKey)
  const left = sortByPosition(parts.others, serverPositions, mergeKey)
  const right = sortByPosition(parts.ordered, positions(patchOrder, mergeKey), mergeKey)

  const arranged: unknown[] = []
  let i = 0
  let j = 0
  while (i < left.length && j < right.length) {
    const l = serverPositions.get(keyOf(left[i], mergeKey))
    const r = serverPositions.get(keyOf(right[j], mergeKey))
    arranged.push(l !== undefined && r !== undefined && l < r ? left[i++] : right[j++])
  }
  return arranged.concat(left.slice(i), right.slice(j))
}

export function partition(elements: readonly unknown[], order: readonly unknown[], mergeKey: string): Parts {
  const ordered: unknown[] = []
  const others: unknown[] = []
  // The original searches from the front, and fails on an element that is not an object only when it reaches it.
  const odd = mergeKey === '' ? -1 : order.findIndex(item => !isObject(item))
  const keys = new Set((odd < 0 ? order : order.slice(0, odd)).map(item => keyOf(item, mergeKey)))
  for (const item of elements) {
    const key = mergeKey === '' ? item : mergeKeyOf(objectElement(item), mergeKey)
    if (typeof key === 'object' && key !== null) throw panickedPatch()
    const found = keys.has(key)
    if (!found && odd >= 0) throw failedPatch(`value for key ${odd} is not a map`)
    ;(found ? ordered : others).push(item)
  }
  return { ordered, others }
}

/** Checks that the elements of the patch occur in `order`, in the same sequence. Directives are ignored. */
export function checkElementOrder(patchList: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (order.length === 0 || patchList.length === 0) return
  const wanted = mergeKey === '' ? patchList : patchList.filter(item => objectElement(item).$patch !== 'delete')
  let i = 0
  let j = 0
  while (i < wanted.length && j < order.length) {
    const item = wanted[i]
    if (isObject(item) && Object.hasOwn(item, '$patch')) i++
    else if (sameElement(item, order[j++], mergeKey)) i++
  }
  if (i < wanted.length && j >= order.length) {
    throw failedPatch(
      `The order in patch list:\n${goValue(patchList)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`
    )
  }
}

/** Asserts that an element of a list that is merged by key is an object. */
function objectElement(item: unknown): JsonObject {
  if (!isObject(item)) throw wrongType('map[string]interface {}', item)
  return item
}

export function mergeKeyOf(item: JsonObject, mergeKey: string): unknown {
  if (!Object.hasOwn(item, mergeKey)) throw failedPatch(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`)
  return item[mergeKey]
}

export function wrongType(expected: string, value: unknown): Error {
  return failedPatch(`expected a ${expected}, but received a ${goType(value)}`)
}

function sameElement(a: unknown, b: unknown, mergeKey: string): boolean {
  if (mergeKey !== '') {
    const [left, right] = [objectElement(a), objectElement(b)]
    return mergeKeyOf(left, mergeKey) === mergeKeyOf(right, mergeKey)
  }
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null && Array.isArray(a) === Array.isArray(b))
    throw panickedPatch()
  return a === b
}

function keyOf(item: unknown, mergeKey: string): unknown {
  return mergeKey !== '' && isObject(item) ? getKey(item, mergeKey) : item
}

function positions(order: readonly unknown[], mergeKey: string): Map<unknown, number> {
  const map = new Map<unknown, number>()
  order.forEach((item, i) => {
    const key = keyOf(item, mergeKey)
    if (!map.has(key)) map.set(key, i)
  })
  return map
}

function sortByPosition(items: readonly unknown[], positions: ReadonlyMap<unknown, number>, mergeKey: string): unknown[] {
  const at = items.map(item => ({ item, position: positions.get(keyOf(item, mergeKey)) }))
  if (at.every(a => a.position !== undefined)) at.sort((a, b) => a.position! - b.position!)
  else if (at.length <= maxSimulatedSort) {
    // In the original, an element that the order lacks compares as less than any other, in both directions: its insertion sort
    // then reverses such elements.
    for (let i = 1; i < at.length; i++) {
      for (let j = i; j > 0; j--) {
        const a = at[j]!
        const b = at[j - 1]!
        if (a.position !== undefined && b.position !== undefined && a.position >= b.position) break
        at[j] = b
        at[j - 1] = a
      }
    }
  }
  return at.map(a => a.item)
}
