/**
 * Quantities that a request writes in other words than those in which they are stored, "1000m" for "1". A Go quantity remembers the digits and scale that it
 * was read from, and reflect.DeepEqual sees them. The structs and maps that hold such quantities are kept beside the objects.
 */
import { isObject } from '../../util/json.js'
import { holders } from './holders.js'
import type { Type } from './model.js'

const respelled = new WeakSet<object>()

export const isQuantity = (type: Type): boolean => type.kind === 'scalar' && type.scalar === 'quantity'

/** Keeps in mind that `holder` got a quantity as `given` and has it as `decoded`. */
export function noteSpelling(holder: object, given: unknown, decoded: unknown): void {
  if (decoded !== given && decoded !== String(given).trim()) respelled.add(holder)
}

const holdsQuantities = holders(({ type }) => isQuantity(type) || (type.kind === 'map' && isQuantity(type.values)))

/** Whether a list in a value of this type has such a quantity. */
export const hasRespelled = (type: Type, value: unknown): boolean => holdsQuantities(type) && inLists(value)

function inLists(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isRespelled)
  return isObject(value) && Object.values(value).some(inLists)
}

function isRespelled(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isRespelled)
  return isObject(value) && (respelled.has(value) || Object.values(value).some(isRespelled))
}
