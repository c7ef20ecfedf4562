import { decode } from '../schema/decode.js'
import type { StructType } from '../schema/model.js'

const emptyObjects = new WeakMap<StructType, any>()

/** A type's object with nothing given: what creation is compared with to find the fields that the creator owns. */
export function emptyObject(type: StructType): any {
  let empty = emptyObjects.get(type)
  if (!empty) emptyObjects.set(type, (empty = decode(type, {}).object))
  return empty
}
