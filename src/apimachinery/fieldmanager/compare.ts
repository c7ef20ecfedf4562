/** Compares two objects of one type, and returns the differences as sets of field paths (structured-merge-diff's comparison). */

import { equalJson, getKey, isObject, type JsonObject } from '../../util/json.js'
import { atOnce, type Steps } from '../../util/turns.js'
import { isSettled } from '../schema/decode.js'
import { asGiven } from '../schema/given.js'
import type { StructType } from '../schema/model.js'
import { hasRespelled } from '../schema/respelled.js'
import { type FieldTree, leaf } from './fields-v1.js'
import { omitsKey } from './keyless-items.js'
import { hasParts, isEmpty, type Place, placeOf, valueStep } from './place.js'
import { seemsNew } from './quantity-pointers.js'
import { ViewError } from './version-view.js'

export interface Comparison {
  /** Paths that only the new object has, or whose value differs there; undefined for none. */
  readonly changed: FieldTree | undefined
  /** Paths that only the old object has. */
  readonly removed: FieldTree | undefined
}

type Same = (place: Place, a: unknown, b: unknown) => boolean

/**
 * Where the new object comes from: from a request, while the old one comes from storage (a dry run finds the old one in the cache, where all of its
 * quantities have been formatted), or from the old one.
 */
export type Origin = 'request' | 'dry run' | 'old object'

/** Compares an old and a new object. Throws a ViewError for lists whose items cannot be distinguished. */
export const compare = (type: StructType, oldObject: unknown, newObject: object, origin: Origin = 'old object'): Comparison =>
  atOnce(comparison(type, oldObject, newObject, origin))

export function* comparison(type: StructType, oldObject: unknown, newObject: object, origin: Origin): Steps<Comparison> {
  const place = placeOf(type)
  if (omitsKey(place, oldObject) || omitsKey(place, newObject)) throw new ViewError(keyless)
  const same = samenessFor(origin, isSettled(newObject))
  const changed = walk(place, oldObject, newObject, same)
  yield
  return { changed, removed: walk(place, newObject, oldObject, undefined) }
}

const sameJson: Same = (_, a, b) => equalJson(a, b)
const sameInDryRun: Same = ({ type }, a, b) => equalJson(a, b) && !hasRespelled(type, b)
const staysSame: Same = (place, a, b) => sameInDryRun(place, a, b) && !seemsNew(place, b)
const givenInDryRun: Same = (place, a, b) => sameInDryRun(place, a, b) && sameLists(a, b)
const sameAsGiven: Same = (place, a, b) => staysSame(place, a, b) && sameLists(a, b)

function samenessFor(origin: Origin, isSettled: boolean): Same {
  if (origin === 'old object') return sameJson
  if (origin === 'dry run') return isSettled ? sameInDryRun : givenInDryRun
  return isSettled ? staysSame : sameAsGiven
}

/** Go compares the lists of what is one field exactly, including given empty values in their items. */
function sameLists(a: unknown, b: unknown): boolean {
  if (Array.isArray(b)) return equalJson(asGiven(a), asGiven(b))
  if (!isObject(b)) return true
  for (const key in b) if (!sameLists((a as JsonObject)[key], b[key])) return false
  return true
}

const keyless = 'associative list with keys has an element that omits all key fields'

type Add = (step: string, sub: FieldTree | undefined) => void

/**
 * Returns the paths of `b` that `a` lacks and, if `same` is set, the paths whose values differ; undefined when there are none. A
 * value of undefined is absent; null is present.
 */
function walk(place: Place, a: unknown, b: unknown, same: Same | undefined): FieldTree | undefined {
  if (b === undefined || a === b) return undefined
  // its parts are gone: the comparison in the other direction reports them
  if (b === null && hasParts(place, a)) return undefined
  const isNew = a === undefined
  if (isLeaf(place, a, b)) return isNew || (same && !same(place, a, b)) ? leaf : undefined
  // parts that take the place of a value of another form change the value itself, too
  const self = isNew || (same !== undefined && a !== null && !place.fits(a))
  let out: FieldTree | undefined
  const add: Add = (step, sub) => {
    if (sub) (out ??= self ? { '.': leaf } : {})[step] = sub
  }
  if (place.granularity === 'set') valuesOfSet(a, b as unknown[], same, add)
  else if (place.granularity === 'items') items(place, a, b as unknown[], same, add)
  else {
    const from = isObject(a) ? a : {}
    for (const key of Object.keys(b as object)) {
      const at = place.at(key)
      if (at) add(at.step ?? `f:${key}`, walk(at, getKey(from, key), (b as JsonObject)[key], same))
    }
  }
  return out ?? (self ? leaf : undefined)
}

function valuesOfSet(a: unknown, b: unknown[], same: Same | undefined, add: Add): void {
  const stepTo = (value: unknown) => {
    if (value === null || typeof value === 'object')
      throw new ViewError('associative list without keys has an element that is no scalar')
    return valueStep(value)
  }
  const old = grouped(a, stepTo)
  for (const [step, values] of grouped(b, stepTo)) {
    const count = values instanceof Several ? values.length : 1
    const found = old.get(step)
    const before = found instanceof Several ? found.length : old.has(step) ? 1 : 0
    if (count === 1 ? before !== 1 : before < 2 || (same && before !== count)) add(step, leaf)
  }
}

/**
 * Compares keyed items. Items with the same key count as one value: their multiplicity is a field, which can be added or removed.
 */
function items(place: Place, a: unknown, b: unknown[], same: Same | undefined, add: Add): void {
  // most lists are unchanged, and comparing them whole is faster than finding items by key
  if (same !== sameAsGiven && same !== givenInDryRun && equalJson(a, b)) return
  const stepTo = (item: unknown) => {
    const step = place.stepTo(item)
    if (step === undefined) throw new ViewError(keyless)
    return step
  }
  const old = grouped(a, stepTo)
  for (const [step, found] of grouped(b, stepTo)) {
    const before = old.get(step)
    if (!(found instanceof Several)) add(step, walk(place.below, before instanceof Several ? undefined : before, found, same))
    else if (!(before instanceof Several) || (same && !equalJson(before, found))) add(step, leaf)
  }
}

/** Items with the same key. */
class Several extends Array<unknown> {}

/** Maps each key to the one item that has it, or to several. */
function grouped(list: unknown, stepTo: (item: unknown) => string): Map<string, unknown> {
  const groups = new Map<string, unknown>()
  if (!Array.isArray(list)) return groups
  for (const item of list) {
    const step = stepTo(item)
    const known = groups.get(step)
    if (known instanceof Several) known.push(item)
    else groups.set(step, groups.has(step) ? Several.of(known, item) : item)
  }
  return groups
}

function isLeaf(place: Place, a: unknown, b: unknown): boolean {
  return b === null || place.granularity === 'whole' || !place.fits(b) || (isEmpty(b) && isEmpty(a))
}
