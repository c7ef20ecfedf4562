/**
 * Empty lists and maps that a client gave in fields that are left out when they are empty. Until the object is stored Go tells
 * them from none: errors print them, some rules ask for them, and comparisons by reflect.DeepEqual see them. They stand beside
 * the fields of their struct, so that nobody else has to know of them.
 */
import { type JsonObject, setKey } from '../util/json.js'

const empties: unique symbol = Symbol('empties')

interface WithEmpties {
  [empties]?: Record<string, object> | undefined
}

export function keepEmpty(struct: object, name: string, value: object): void {
  const known: WithEmpties = struct
  known[empties] ??= {}
  known[empties][name] = value
}

/** Forgets those of a struct, or the one of a field. */
export function forgetEmpties(struct: object, name?: string): void {
  const known = (struct as WithEmpties)[empties]
  if (known && name !== undefined) delete known[name]
  else if (known) delete (struct as WithEmpties)[empties]
}

/** A field as it was given: the empty list or map of a field that is not there because it is empty. */
export function given<T extends object, K extends keyof T & string>(struct: T | null | undefined, name: K): T[K] | undefined {
  return struct?.[name] ?? ((struct as WithEmpties | undefined | null)?.[empties]?.[name] as T[K] | undefined)
}

/** A copy in which every field stands as it was given, to be compared or printed. */
export function asGiven<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asGiven) as T
  const copy: JsonObject = { ...(value as WithEmpties)[empties] }
  for (const key in value) setKey(copy, key, asGiven(value[key]))
  return copy as T
}

/** A copy in which they stand beside the fields as well. */
export function cloneGiven<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cloneGiven) as T
  const copy: JsonObject & WithEmpties = {}
  const known = (value as WithEmpties)[empties]
  if (known) copy[empties] = { ...known }
  for (const key in value) setKey(copy, key, cloneGiven(value[key]))
  return copy as T
}
