/** Removes fields that an applier owned and no longer applies, unless other managers own them. */
import { getKey, type JsonObject, setKey } from '../../util/json.js'
import { below, type FieldTree, hasSelf, isEmptyTree, leaf } from './fields-v1.js'
import { hasParts, isEmpty, type Place, valueStep } from './place.js'

/**
 * Returns the part of `last` (the fields that an applier owned before) to remove from an object: the fields that are not in
 * `owned` and have no member of `owned` below them. A declared field is in a set as soon as a field below it is. The object must
 * not hold an empty list (`holdsEmptyList`).
 */
export function abandoned(place: Place, value: unknown, last: FieldTree, owned: FieldTree | undefined): FieldTree | undefined {
  return walk(place, value, last, owned, false, false)
}

/** `gone`: the value is part of something that the applier gave up. `doomed`: in addition, no other manager owns it. */
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
    const always = child.place.step !== undefined
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

/**
 * Whether a value holds a list of parts without any. No set has such a list, so that nobody can give it up, and nobody owns what
 * holds nothing else.
 */
export function holdsEmptyList(place: Place, value: unknown): boolean {
  if (Array.isArray(value) && value.length === 0) return place.type.kind === 'list' && place.granularity !== 'whole'
  if (!hasParts(place, value)) return false
  if (Array.isArray(value)) return place.granularity === 'items' && value.some(item => holdsEmptyList(place.below, item))
  for (const key in value) {
    const at = place.at(key)
    if (at && holdsEmptyList(at, (value as JsonObject)[key])) return true
  }
  return false
}

/**
 * Returns the value without the members of a set and everything below them. A container that becomes empty stays, unless it is a
 * member itself. `emptied` is what is left of it.
 */
export function withoutFields(place: Place, value: unknown, tree: FieldTree, emptied: Emptied): unknown {
  if (!hasParts(place, value)) return value
  if (Array.isArray(value)) {
    const stepTo = stepIn(place)
    const rest = value.flatMap(item => {
      const sub = below(tree, stepTo(item))
      return !sub ? [item] : hasSelf(sub) ? [] : [withoutFields(place.below, item, sub, emptied)]
    })
    return rest.length > 0 ? rest : emptied(place)
  }
  const out: JsonObject = {}
  for (const key of Object.keys(value)) {
    const sub = below(tree, `f:${key}`)
    if (sub && hasSelf(sub)) continue
    const child = (value as JsonObject)[key]
    const at = place.at(key)
    setKey(out, key, sub && at ? withoutFields(at, child, sub, emptied) : child)
  }
  return isEmpty(out) ? emptied(place) : out
}

type Emptied = (place: Place) => unknown

/**
 * Null is a field that has an owner, which an empty list is not. So it stands for what is emptied where an object is only compared,
 * as in kube-apiserver.
 */
export const comparable: Emptied = () => null
/**
 * Where a custom resource may not have null, kube-apiserver 1.37 refuses its own result; there what is emptied stays empty, as in
 * earlier releases.
 */
export const storable: Emptied = place => (!place.refusesNull ? null : place.type.kind === 'list' ? [] : {})

interface Child {
  readonly place: Place
  readonly value: unknown
}

/** Returns a function that finds the child of a step. */
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
