/** Parsed JSON as plain values. Keys come from clients: `__proto__` and `constructor` are keys like any other. */

export type JsonObject = Record<string, unknown>

/**
 * The deepest document that is taken in or made. Go refuses at 10,000, but JSON.stringify runs out of stack near 4,000,
 * and nothing real is deeper than a few dozen.
 */
export const maxJsonDepth = 2000

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own key: never what the prototype would answer for "constructor" or "__proto__". */
export function getKey(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Sets an own key, also when it is called `__proto__`. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

export function cloneJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cloneJson) as T
  const copy: JsonObject = {}
  for (const [key, v] of Object.entries(value)) setKey(copy, key, cloneJson(v))
  return copy as T
}

/** The same JSON, whatever the order of keys. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => equalJson(v, b[i]))
  if (Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every(k => Object.hasOwn(b, k) && equalJson((a as JsonObject)[k], (b as JsonObject)[k]))
  )
}

/** Whether a value nests deeper than `limit`. Walks level by level, so that the answer itself needs no stack. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limit) return true
    const next: object[] = []
    for (const container of level) {
      for (const child of Array.isArray(container) ? container : Object.values(container))
        if (isContainer(child)) next.push(child)
    }
    level = next
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
