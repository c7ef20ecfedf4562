/** How declared rules see values: which are absent, and which are equal. */
import { isObject } from '../../util/json.js'
import type { Field } from '../schema/model.js'

/** Whether a field has no value: nil for pointers, lists and maps, the zero value for others. A struct that is no pointer always has one. */
export function isAbsent(value: unknown, { pointer, type }: Field): boolean {
  if (value === undefined || value === null) return pointer || type.kind !== 'struct'
  if (pointer) return false
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object') return type.kind === 'map' && Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}

/** Compares as Go's semantic equality does: an empty list equals a missing one. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  if (!isObject(a) || !isObject(b) || Array.isArray(b)) return false
  for (const key of Object.keys(a)) if (!isSame(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && !isNothing(b[key])) return false
  return true
}

const isNothing = (value: unknown) => value === undefined || value === null || (Array.isArray(value) && value.length === 0)
