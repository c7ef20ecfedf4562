/** The functions to which the two-variable macros expand. */
import { type Library, overload } from '../declarations.js'
import { CelError, type EntryMap, type MapValue, type Value } from '../values/value.js'

function insert(map: EntryMap, key: Value, value: Value): EntryMap | CelError {
  return map.with(key, value) ?? new CelError(`insert failed: key ${String(key)} already exists`)
}

function insertAll(map: EntryMap, added: MapValue): Value {
  let result: EntryMap | CelError = map
  for (const key of added.keys()) {
    result = insert(result as EntryMap, key, added.get(key)!)
    if (result instanceof CelError) return result
  }
  return result
}

export const comprehensions: Library = {
  functions: {
    'cel.@mapInsert': [
      overload('@mapInsert_map_key_value', 'map(K, V), K, V -> map(K, V)', insert),
      overload('@mapInsert_map_map', 'map(K, V), map(K, V) -> map(K, V)', insertAll)
    ]
  }
}
