/** JSON of values that Go holds in maps, with sorted keys. */
import { sortedKeys } from '../../util/go-format.js'
import { isObject, type JsonObject, setKey } from '../../util/json.js'
import { goJson } from '../validation/go-value.js'

export const goMapJson = (value: unknown): string => goJson(sorted(value))

/** Copies a value with sorted keys in all objects. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const copy: JsonObject = {}
  for (const key of sortedKeys(value)) setKey(copy, key, sorted(value[key]))
  return copy
}
