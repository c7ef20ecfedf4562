/** What an applier owned and no longer applies goes, unless others own it too. */
import { getKey, type JsonObject, setKey } from '../util/json.js'
import { below, type FieldTree, hasSelf, isEmptyTree, leaf } from './fields-v1.js'
import { hasParts, type Place, valueStep } from './place.js'

/**
 * The part of `last` (what an applier owned before) that has to go from an object: what neither is in `owned` nor has
 * something in it that is. Struct fields stand in a set as soon as something below them does.
 */
export function abandoned(place: Place, value: unknown, last: FieldTree, owned: FieldTree | undefined): FieldTree | undefined {
  return walk(place, value, last, owned, false, false)
}

/** `gone`: the value lies in something that the applier gave up; `doomed`: and that nobody else owns. */
function walk(
  place: Place,
  value: unknown,
  last: FieldTree,
  owned: FieldTree | undefined,
  gone: boolean,
  doomed: boolean
): FieldTree | undefined {
  if (!hasParts(place, value)) return undefined
  const children = childrenOf(place, value)
  let out: FieldTree | undefined
  for (const step of Object.keys(last)) {
    const child = step === '.' ? undefined : children(step)
    if (!child) continue
    const mine = last[step]!
    const others = below(owned, step)
    const always = place.granularity === 'fields'
    const given = always || hasSelf(mine)
    const kept = others !== undefined && (always || hasSelf(others))
    const parts = hasParts(child.place, child.value)
    const goneHere = gone || given
    const doomedHere = doomed || (goneHere && !kept)
    if (doomedHere && given) (out ??= {})[step] = leaf
    else if (parts && !isEmptyTree(mine)) {
      const rest = walk(child.place, child.value, mine, others, goneHere, doomedHere)
      if (rest) (out ??= {})[step] = rest
    }
  }
  return out
}

/** The value without the members of a set and what is below them. What gets empty thereby stays, unless it is a member itself. */
export function withoutFields(place: Place, value: unknown, tree: FieldTree): unknown {
  if (!hasParts(place, value)) return value
  if (Array.isArray(value)) {
    const stepTo = stepIn(place)
    return value.flatMap(item => {
      const sub = below(tree, stepTo(item))
      return !sub ? [item] : hasSelf(sub) ? [] : [withoutFields(place.below, item, sub)]
    })
  }
  const out: JsonObject = {}
  for (const key of Object.keys(value)) {
    const sub = below(tree, `f:${key}`)
    if (sub && hasSelf(sub)) continue
    const child = (value as JsonObject)[key]
    const at = place.at(key)
    setKey(out, key, sub && at ? withoutFields(at, child, sub) : child)
  }
  return out
}

interface Child {
  readonly place: Place
  readonly value: unknown
}

/** Finds what a step leads to. */
function childrenOf(place: Place, value: object): (step: string) => Child | undefined {
  if (Array.isArray(value)) {
    const stepTo = stepIn(place)
    const items = new Map(value.map(item => [stepTo(item), item]))
    return step => (items.has(step) ? { place: place.below, value: items.get(step) } : undefined)
  }
  return step => {
    const key = step.slice(2)
    const child = step.startsWith('f:') ? getKey(value as JsonObject, key) : undefined
    const at = child === undefined ? undefined : place.at(key)
    return at && { place: at, value: child }
  }
}

const stepIn = (place: Place): ((item: unknown) => string) =>
  place.granularity === 'set' ? valueStep : item => place.stepTo(item) ?? 'k:{}'
