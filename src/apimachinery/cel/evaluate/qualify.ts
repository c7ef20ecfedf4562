/** Selects a field, key or index of a value. */
import { formatType } from '../types.js'
import { CelError, isError, ListValue, MapValue, ObjectValue, Optional, typeOf, UInt, type Value } from '../values/value.js'

/** Returns the value under a key; undefined if there is none. */
export function lookup(container: Value, key: Value): Value | undefined {
  if (container instanceof Optional) return container.value === undefined ? undefined : lookup(container.value, key)
  if (container instanceof MapValue) return container.get(key)
  if (container instanceof ListValue) {
    const index = listIndex(key)
    if (typeof index !== 'number') return index
    return index >= 0 && index < container.size ? container.get(index) : undefined
  }
  if (container instanceof ObjectValue && typeof key === 'string') return container.field(key)
  return isError(container) ? container : undefined
}

export function qualify(container: Value, key: Value): Value {
  if (isError(container)) return container
  if (isError(key)) return key
  const found = lookup(container, key)
  return found === undefined ? missing(container, key) : found
}

function missing(container: Value, key: Value): CelError {
  const text = keyText(key)
  return new CelError(container instanceof ListValue ? `index out of bounds: ${text}` : `no such key: ${text}`)
}

function keyText(key: Value): string {
  if (key instanceof UInt) return String(key.value)
  return typeof key === 'object' ? formatType(typeOf(key)) : String(key)
}

function listIndex(key: Value): number | CelError {
  if (typeof key === 'bigint') return Number(key)
  if (typeof key === 'number' && Number.isInteger(key)) return key
  if (key instanceof UInt) return Number(key.value)
  if (typeof key === 'number') return new CelError(`unsupported index value ${key} in list`)
  return new CelError(`unsupported index type '${typeOf(key).name}' in list`)
}
