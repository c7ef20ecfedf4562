import { isObject } from '../../util/json.js'

/**
 * Compares as Go's `equality.Semantic.DeepEqual`: a list that is empty, null or missing is the same at every depth. An empty object is a struct
 * here, and other than a missing one.
 */
export function semanticDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b)
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => semanticDeepEqual(item, b[i]))
  if (!isObject(a) || !isObject(b)) return false
  for (const key of Object.keys(a)) if (!semanticDeepEqual(a[key], Object.hasOwn(b, key) ? b[key] : undefined)) return false
  for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && !isNothing(b[key])) return false
  return true
}

const isNothing = (value: unknown) => value === undefined || value === null || (Array.isArray(value) && value.length === 0)
