/** Parsed JSON as plain values. Keys come from clients: `__proto__` and `constructor` are keys like any other. */

export type JsonObject = Record<string, unknown>

/**
 * The deepest document that is taken in or made. Go refuses at 10,000, but JSON.stringify runs out of stack near 4,000, some
 * steps take several frames a level, and nothing real is deeper than a few dozen.
 */
export const maxJsonDepth = 1000

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an own key: never what the prototype would answer for "constructor" or "__proto__". */
export function getKey(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The value of a key that a client names, which may be called `constructor`. */
export const own = <T>(record: Readonly<Record<string, T>> | null | undefined, key: string): T | undefined =>
  record && Object.hasOwn(record, key) ? record[key] : undefined

/** Sets an own key, also when it is called `__proto__`. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

export function cloneJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cloneJson) as T
  const copy: JsonObject = {}
  // these are parsed documents, in which whatever can be enumerated is an own key; Object.keys would make an array of each
  for (const key in value) setKey(copy, key, cloneJson(value[key]))
  return copy as T
}

/** So that nobody changes it: whoever tries gets a TypeError. */
export function freezeJson<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) freezeJson(part)
    Object.freeze(value)
  }
  return value
}

/** The same JSON, whatever the order of keys. */
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

/** The same JSON once it is written, where what is undefined is left out. */
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
