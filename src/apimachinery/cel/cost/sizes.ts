/** The sizes of values in the cost model. */
import { tick, tickText } from '../values/steps.js'
import { characters } from '../values/text.js'
import { ListValue, MapValue, ObjectValue, Optional, type Value } from '../values/value.js'
import { perCharacter } from './rates.js'

/** Returns the number of characters, bytes, elements or entries; 1 for any other value. */
export function actualSize(value: Value): number {
  if (typeof value === 'string') {
    tickText(value.length)
    return characters(value)
  }
  if (value instanceof ListValue || value instanceof MapValue) return value.size
  if (value instanceof Uint8Array) return value.length
  if (value instanceof ObjectValue) return value.size ?? 1
  if (value instanceof Optional && value.value !== undefined) return actualSize(value.value)
  return 1
}

/** Returns the cost of walking through a whole value. */
export function traversalCost(value: Value): number {
  tick()
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * perCharacter)
  if (value instanceof Uint8Array) return Math.trunc(value.length * perCharacter)
  let cost = 0
  if (value instanceof ListValue) {
    for (const item of value) cost += traversalCost(item)
    return cost
  }
  if (value instanceof MapValue) {
    for (const key of value.keys()) cost += traversalCost(key) + traversalCost(value.get(key)!)
    return cost
  }
  return 1
}
