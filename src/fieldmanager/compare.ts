/** What differs between two objects of one type, as sets of field paths (structured-merge-diff's comparison). */
import type { StructType } from '../schema/model.js'
import { equalJson, getKey, isObject, type JsonObject } from '../util/json.js'
import { type FieldTree, leaf } from './fields-v1.js'
import { hasParts, isEmpty, type Place, placeOf, valueStep } from './place.js'
import { seemsNew } from './quantity-pointers.js'

export interface Comparison {
  /** Paths that are only in the new object, or have another value there; undefined for none. */
  readonly changed: FieldTree | undefined
  /** Paths that are only in the old object. */
  readonly removed: FieldTree | undefined
}

type Same = (place: Place, a: unknown, b: unknown) => boolean

/** `decoded`: the new object was read from a request, rather than made from the old one. */
export function compare(type: StructType, oldObject: unknown, newObject: unknown, decoded = false): Comparison {
  const place = placeOf(type)
  const same: Same = decoded ? staysSame : (_, a, b) => equalJson(a, b)
  return { changed: walk(place, oldObject, newObject, same), removed: walk(place, newObject, oldObject, undefined) }
}

const staysSame: Same = (place, a, b) => equalJson(a, b) && !seemsNew(place, b)

type Add = (step: string, sub: FieldTree | undefined) => void

/**
 * The paths of `b` that `a` lacks and, when `same` is set, those whose value differs; undefined when there are none.
 * undefined stands for "not there"; null is there.
 */
function walk(place: Place, a: unknown, b: unknown, same: Same | undefined): FieldTree | undefined {
  if (b === undefined || a === b) return undefined
  // nothing is left of its parts: that they are gone is for the comparison in the other direction to say
  if (b === null && hasParts(place, a)) return undefined
  const self = a === undefined
  if (isLeaf(place, a, b)) return self || (same && !same(place, a, b)) ? leaf : undefined
  let out: FieldTree | undefined
  const add: Add = (step, sub) => {
    if (sub) (out ??= self ? { '.': leaf } : {})[step] = sub
  }
  if (place.granularity === 'set') valuesOfSet(a, b as unknown[], add)
  else if (place.granularity === 'items') items(place, a, b as unknown[], same, add)
  else {
    const from = isObject(a) ? a : {}
    for (const key of Object.keys(b as object)) {
      const at = place.at(key)
      if (at) add(`f:${key}`, walk(at, getKey(from, key), (b as JsonObject)[key], same))
    }
  }
  return out ?? (self ? leaf : undefined)
}

function valuesOfSet(a: unknown, b: unknown[], add: Add): void {
  const known = new Set(Array.isArray(a) ? a.map(valueStep) : [])
  for (const value of b) {
    const step = valueStep(value)
    if (!known.has(step)) add(step, leaf)
  }
}

function items(place: Place, a: unknown, b: unknown[], same: Same | undefined, add: Add): void {
  // most lists are as they were, and to find the items by their keys takes longer than to see that
  if (equalJson(a, b)) return
  const old = new Map(Array.isArray(a) ? a.map(item => [place.stepTo(item), item]) : [])
  for (const item of b) {
    const step = place.stepTo(item) ?? 'k:{}'
    add(step, walk(place.below, old.get(step), item, same))
  }
}

function isLeaf(place: Place, a: unknown, b: unknown): boolean {
  return b === null || place.granularity === 'whole' || !place.fits(b) || (isEmpty(b) && isEmpty(a))
}
