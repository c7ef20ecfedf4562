/**
 * Empty lists and maps that a client gave in fields that are omitted when empty. Until the object is stored, Go tells them from absent
 * ones: errors print them, some rules check for them, and reflect.DeepEqual sees them. They are kept beside the fields of their
 * struct, so that no other code has to know about them.
 */
import { type JsonObject, setKey } from '../../util/json.js'
import { copyRead } from './read-quantities.js'

const empties: unique symbol = Symbol('empties')

interface WithEmpties {
  [empties]?: Record<string, object> | undefined
}

export function keepEmpty(struct: object, name: string, value: object): void {
  const known: WithEmpties = struct
  known[empties] ??= {}
  known[empties][name] = value
}

/** Forgets the given empty values of a struct, or of one field. */
export function forgetEmpties(struct: object, name?: string): void {
  const known = (struct as WithEmpties)[empties]
  if (known && name !== undefined) delete known[name]
  else if (known) delete (struct as WithEmpties)[empties]
}

/** Returns a field as it was given, including an empty list or map that the struct itself omits. */
export function given<T extends object, K extends keyof T & string>(struct: T | null | undefined, name: K): T[K] | undefined {
  return struct?.[name] ?? ((struct as WithEmpties | undefined | null)?.[empties]?.[name] as T[K] | undefined)
}

/** Copies a value with every field as it was given, for comparing or printing. */
export function asGiven<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(asGiven) as T
  const copy: JsonObject = { ...(value as WithEmpties)[empties] }
  for (const key in value) setKey(copy, key, asGiven(value[key]))
  return copy as T
}

/** Copies a value, and keeps beside its fields the empty values that were given, and how quantities were read. */
export function cloneGiven<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cloneGiven) as T
  const copy: JsonObject & WithEmpties = {}
  const known = (value as WithEmpties)[empties]
  if (known) copy[empties] = { ...known }
  copyRead(value, copy)
  for (const key in value) setKey(copy, key, cloneGiven(value[key]))
  return copy as T
}
