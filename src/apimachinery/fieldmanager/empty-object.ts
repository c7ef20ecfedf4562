import { decode } from '../schema/decode.js'
import type { StructType } from '../schema/model.js'

const emptyObjects = new WeakMap<StructType, any>()

/** An object of a type with no field given. Creations are compared with it to find the fields that the creator owns. */
export function emptyObject(type: StructType): any {
  let empty = emptyObjects.get(type)
  if (!empty) emptyObjects.set(type, (empty = decode(type, {}).object))
  return empty
}
