/**
 * Strategic merge patch: a merge patch that knows the type. Lists with a merge key are merged element by element, lists of
 * scalars marked for merging are merged as sets, and keys that begin with $ are directives:
 *
 *   $patch: replace | delete            instead of merging this object, or the list in which this element stands
 *   $retainKeys: [...]                  removes all other keys of this object
 *   $deleteFromPrimitiveList/f: [...]   takes scalars out of the list f
 *   $setElementOrder/f: [...]           orders the list f
 */

import { goString, goType, goValue } from '../../util/go-format.js'
import { cloneJson, getKey, isObject, type JsonObject, setKey } from '../../util/json.js'
import type { StructType } from '../schema/model.js'
import { arrange, checkElementOrder, mergeKeyOf, partition, wrongType } from './element-order.js'
import { badPatch, failedPatch, panickedPatch, rejectedPatch } from './patch-error.js'
import { type FieldTarget, goKind, lookupList, lookupObject, type Target } from './patch-schema.js'

const deleteFromList = '$deleteFromPrimitiveList'
const setElementOrder = '$setElementOrder'

export interface StrategicMergeResult {
  readonly object: JsonObject
  /**
   * The remainder of the patch: merging consumes directives and nulls. If the object cannot be decoded, the original shows the
   * remainder as the invalid value (see goValue).
   */
  readonly remainder: JsonObject
}

/** Merges without changing `document` or `patch`. The result shares the unchanged parts of `document`. */
export function applyStrategicMergePatch(document: JsonObject, patch: JsonObject, type: StructType): StrategicMergeResult {
  const remainder = cloneJson(patch)
  return { object: mergeObject(document, remainder, { type, pointer: false }), remainder }
}

/** Merges into a copy of `original`. Consumes `patch`. */
function mergeObject(original: JsonObject, patch: JsonObject, target: Target): JsonObject {
  if (Object.hasOwn(patch, '$patch')) {
    const directive = patch.$patch
    if (directive === 'delete') return {}
    if (directive !== 'replace') throw unknownDirective(patch)
    delete patch.$patch
    return patch
  }
  const merged = { ...original }
  retainKeys(merged, patch)
  mergeOrderedLists(merged, patch, target)
  for (const [patchKey, value] of Object.entries(patch)) {
    const deleting = patchKey.startsWith(deleteFromList)
    const key = deleting ? listName(patchKey, deleteFromList) || patchKey : patchKey
    if (value === null) delete merged[key]
    else mergeKey(merged, key, value, target, deleting)
  }
  return merged
}

function mergeKey(merged: JsonObject, key: string, value: unknown, target: Target, deleting: boolean): void {
  const current = getKey(merged, key)
  if (isObject(current) && isObject(value)) {
    const field = lookupObject(target, key)
    setKey(merged, key, field.strategy === 'replace' ? value : mergeObject(current, value, field))
  } else if (Array.isArray(current) && Array.isArray(value)) {
    setKey(merged, key, mergeField(current, value, lookupList(target, key), deleting))
  } else if (!deleting) {
    discardNulls(value)
    const kept = withoutDirectives(value)
    if (kept === undefined) delete merged[key]
    else setKey(merged, key, kept)
  }
}

function retainKeys(merged: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, '$retainKeys')) return
  const retained = patch.$retainKeys
  delete patch.$retainKeys
  if (!Array.isArray(retained)) throw badRetainKeys()
  const keys = new Set<unknown>(retained)
  if (retained.some(isContainer)) throw panickedPatch()
  for (const [key, value] of Object.entries(patch)) {
    const isDirective = key.startsWith(deleteFromList) || key.startsWith(setElementOrder)
    if (value !== null && !isDirective && !keys.has(key)) throw badRetainKeys()
  }
  for (const key of Object.keys(merged)) if (!keys.has(key)) delete merged[key]
}

/** Merges the lists whose order the patch sets, and removes them from the patch. */
function mergeOrderedLists(merged: JsonObject, patch: JsonObject, target: Target): void {
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(setElementOrder)) continue
    delete patch[directive]
    if (!Array.isArray(order)) throw wrongType('[]interface {}', order)
    const key = listName(directive, setElementOrder)
    const current = listAt(merged, key)
    const patchList = listAt(patch, key)
    const field = lookupList(target, key)
    checkElementOrder(patchList ?? [], order, field.mergeKey)
    if (!current && !patchList) continue

    let list: unknown[]
    if (!patchList) list = current!
    else if (!current) list = withoutDirectives(patchList) as unknown[]
    else list = mergeField(current, patchList, field, false)
    const parts = partition(list, order, field.mergeKey)
    const kind = elementKind(current ?? [], patchList ?? [])
    setKey(merged, key, arrange(parts, order, current ?? [], field.mergeKey, kind))
    delete patch[key]
  }
}

function mergeField(current: unknown[], patch: unknown[], field: FieldTarget, deleting: boolean): unknown[] {
  return field.strategy === 'merge' || deleting ? mergeList(current, patch, field, deleting) : patch
}

function mergeList(original: unknown[], patch: unknown[], field: FieldTarget, deleting: boolean): unknown[] {
  if (original.length === 0 && patch.length === 0) return original
  if (elementKind(original, patch) !== 'map') {
    if (deleting) {
      const unwanted = new Set(patch)
      return original.filter(item => !unwanted.has(item))
    }
    return arrange(
      partition([...new Set([...original, ...patch])], patch, field.mergeKey),
      patch,
      original,
      field.mergeKey,
      'scalar'
    )
  }
  if (field.mergeKey === '') throw failedPatch(`cannot merge lists without merge key for ${goKind(field.type)}`)
  const { server, elements } = applyElementDirectives(original as JsonObject[], patch as JsonObject[], field.mergeKey)
  const merged = mergeElements(server, elements, field)
  return arrange(partition(merged, elements, field.mergeKey), elements, server, field.mergeKey, 'map')
}

/** Applies the elements that have a $patch directive, and removes them from the patch. */
function applyElementDirectives(
  original: JsonObject[],
  patch: JsonObject[],
  mergeKey: string
): { server: JsonObject[]; elements: JsonObject[] } {
  const elements: JsonObject[] = []
  const deleted = new Set<unknown>()
  let replace = false
  for (const element of patch) {
    if (!Object.hasOwn(element, '$patch')) elements.push(element)
    else if (element.$patch === 'delete') deleted.add(mergeKeyOf(element, mergeKey))
    else if (element.$patch === 'replace') replace = true
    else if (element.$patch === 'merge') throw failedPatch('merging lists cannot yet be specified in the patch')
    else throw unknownDirective(element)
  }
  if (replace) return { server: elements, elements: [] }
  return { server: original.filter(item => !Object.hasOwn(item, mergeKey) || !deleted.has(item[mergeKey])), elements }
}

function mergeElements(server: JsonObject[], elements: JsonObject[], field: FieldTarget): JsonObject[] {
  const merged = [...server]
  const places = new Map<unknown, number>()
  merged.forEach((item, i) => {
    if (Object.hasOwn(item, field.mergeKey) && !places.has(item[field.mergeKey])) places.set(item[field.mergeKey], i)
  })
  for (const element of elements) {
    const key = mergeKeyOf(element, field.mergeKey)
    const place = places.get(key)
    if (place === undefined) places.set(key, merged.push(element) - 1)
    else merged[place] = mergeObject(merged[place]!, element, field)
  }
  return merged
}

/** Returns the name after the slash of a directive such as `$setElementOrder/containers`. */
function listName(directive: string, prefix: string): string {
  const slash = directive.indexOf('/')
  if (slash !== prefix.length)
    throw badPatch(`invalid patch format of ${prefix === deleteFromList ? 'primitive list' : 'setElementOrder list'}`)
  return directive.slice(slash + 1)
}

function listAt(object: JsonObject, key: string): unknown[] | undefined {
  if (!Object.hasOwn(object, key)) return undefined
  const list = object[key]
  if (!Array.isArray(list)) throw wrongType('[]interface {}', list)
  return list
}

/** All elements of merged lists must be of the same kind. */
function elementKind(...lists: unknown[][]): 'map' | 'scalar' {
  const elements = lists.flat()
  if (elements.length === 0) throw failedPatch('no elements in any of the given slices')
  const [first] = elements
  if (first === null) throw panickedPatch()
  if (Array.isArray(first)) throw rejectedPatch()
  const type = goType(first)
  if (elements.some(item => goType(item) !== type)) throw failedPatch(`list element types are not identical: ${goValue(lists)}`)
  return isObject(first) ? 'map' : 'scalar'
}

/** Removes nulls from the objects of a new value, even below lists: there is nothing that they could remove. */
function discardNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(discardNulls)
  else if (isObject(value)) {
    for (const [key, v] of Object.entries(value)) {
      if (v === null) delete value[key]
      else discardNulls(v)
    }
  }
}

/** Drops objects with $patch from a new value. Returns undefined if the value itself is such an object. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDirectives).filter(v => v !== undefined)
  if (!isObject(value)) return value
  if (Object.hasOwn(value, '$patch')) return undefined
  for (const [key, v] of Object.entries(value)) {
    const kept = withoutDirectives(v)
    if (kept === undefined) delete value[key]
    else setKey(value, key, kept)
  }
  return value
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function unknownDirective(patch: JsonObject): Error {
  return failedPatch(`unknown patch type: ${goString(patch.$patch)} in map: ${goValue(patch)}`)
}

function badRetainKeys(): Error {
  return badPatch('invalid patch format of retainKeys')
}
