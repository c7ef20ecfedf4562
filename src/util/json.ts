/** Parsed JSON as plain values. Keys come from clients: `__proto__` and `constructor` are keys like any other. */

export type JsonObject = Record<string, unknown>

/**
 * The greatest depth of a document that is accepted or created. Go refuses documents at a depth of 10,000, but JSON.stringify
 * runs out of stack near 4,000, and some steps take several stack frames per level. Real documents are no deeper than a few dozen
 * levels.
 */
export const maxJsonDepth = 1000

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own key, so that "constructor" and "__proto__" never yield values of the prototype. */
export function getKey(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Reads the value of a key that a client has named, and that may be called `constructor`. */
export const own = <T>(record: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined

/** Sets an own key, even one named `__proto__`. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

export function cloneJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cloneJson) as T
  const copy: JsonObject = {}
  // in parsed documents every enumerable key is an own key; Object.keys would allocate an array for each
  for (const key in value) setKey(copy, key, cloneJson(value[key]))
  return copy as T
}

/** Freezes a value recursively: writing to it throws a TypeError. */
export function freezeJson<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freezeJson(part)
    Object.freeze(value)
  }
  return value
}

/** Compares JSON values, ignoring the order of keys. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isContainer(a) || !isContainer(b)) return false
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, equalJson)
  if (Array.isArray(b)) return false
  let more = 0
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !equalJson((a as JsonObject)[key], (b as JsonObject)[key])) return false
    more++
  }
  for (const _ in b) more--
  return more === 0
}

/** Compares the JSON texts of two values, which lack undefined fields. */
export function equalWritten(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (!isContainer(a) || !isContainer(b)) return false
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, equalWritten)
  if (Array.isArray(b)) return false
  for (const key in a) if (!equalWritten((a as JsonObject)[key], getKey(b as JsonObject, key))) return false
  for (const key in b) if (!Object.hasOwn(a, key) && (b as JsonObject)[key] !== undefined) return false
  return true
}

function equalLists(a: readonly unknown[], b: readonly unknown[], equal: (a: unknown, b: unknown) => boolean): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i])) return false
  return true
}

/** Whether a value nests deeper than `limit`. Walks level by level, because recursion could overflow the stack. */
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
