import type { Field } from '../schema/model.js'

/** Whether a field has no value: nil for pointers, lists and maps, the zero value for others. A struct that is no pointer always has one. */
export function isAbsent(value: unknown, { pointer, type }: Field): boolean {
  if (value === undefined || value === null) return pointer || type.kind !== 'struct'
  if (pointer) return false
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object') return type.kind === 'map' && Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}
