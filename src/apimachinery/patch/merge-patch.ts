/** JSON merge patch (RFC 7386) as kube-apiserver's library applies it. */
import { getKey, isObject, type JsonObject, setKey } from '../../util/json.js'
import type { Opened } from './opened-json.js'

/** Returns the patched document. `opened` collects the objects that the patch has opened. */
export function applyMergePatch(document: JsonObject, patch: JsonObject | unknown[], opened?: Opened): unknown {
  return Array.isArray(patch) ? withoutNulls(patch, opened) : merge(document, patch, opened)
}

function merge(document: JsonObject, patch: JsonObject, opened: Opened | undefined): JsonObject {
  const merged = { ...document }
  opened?.add(merged)
  for (const [key, value] of Object.entries(patch)) {
    const current = getKey(merged, key)
    if (value === null) delete merged[key]
    else if (!isObject(current)) setKey(merged, key, withoutNulls(value, opened))
    // A list that replaces an object keeps the nulls in it.
    else setKey(merged, key, isObject(value) ? merge(current, value, opened) : value)
  }
  return merged
}

/** In a new value, nulls do not remove anything: they are dropped from objects, even below lists, but kept in lists. */
function withoutNulls(value: unknown, opened: Opened | undefined): unknown {
  if (Array.isArray(value)) return value.map(v => withoutNulls(v, opened))
  if (!isObject(value)) return value
  const kept: JsonObject = {}
  opened?.add(kept)
  for (const [key, v] of Object.entries(value)) if (v !== null) setKey(kept, key, withoutNulls(v, opened))
  return kept
}
