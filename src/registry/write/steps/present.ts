/** Reads the present object. */
import { largeBodyBytes } from '../../../apimachinery/formats/body-format.js'
import type { CachedObject } from '../../../storage/cached-object.js'
import type { Operation } from '../operation.js'
import type { Found, Missing } from './value.js'

export function found(operation: Operation, name: string, current: CachedObject): Found {
  const { resource } = operation
  const shown = resource.parse(current)
  const old = resource.kind.strategy?.withUnseen?.(shown) ?? shown
  // a small patch of a large object is as much work as a large body
  return { operation, name, isLarge: operation.isLarge || current.length > largeBodyBytes, current, shown, old }
}

export const missing = (operation: Operation, name: string, permit: Missing['permit']): Missing => ({
  operation,
  name,
  isLarge: operation.isLarge,
  old: undefined,
  permit
})
