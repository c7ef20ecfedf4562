import { loadSchema } from '../apimachinery/schema/load.js'
import { withRawText } from '../apimachinery/schema/raw-values.js'
import type { FieldErrors, Path } from '../apimachinery/validation/field.js'
import { internalText } from '../apimachinery/validation/internal-text.js'
import { equalJson } from '../util/json.js'

/** Refuses to change a field. `shown` returns what the error prints for a new value that is there, where that is not its JSON. */
export function validateImmutable(
  path: Path | string,
  value: unknown,
  old: unknown,
  errors: FieldErrors,
  shown?: () => unknown
): void {
  if (!same(value, old)) errors.invalid(path, shown && !isAbsent(value) ? shown() : value, 'field is immutable')
}

/** The same for a field whose type holds raw values, which are equal to Go when their text is. */
export function validateImmutableRaw(
  path: Path | string,
  typeName: string,
  value: unknown,
  old: unknown,
  errors: FieldErrors,
  shown: () => unknown = () => internalText(typeName, value)
): void {
  if (!sameWithRaw(typeName, value, old)) errors.invalid(path, shown(), 'field is immutable')
}

/** Compares values of a type as Go's semantic equality does, raw values by their text. */
export function sameWithRaw(typeName: string, a: unknown, b: unknown): boolean {
  const type = loadSchema().type(typeName)
  return same(withRawText(type, a), withRawText(type, b))
}

/** Compares as Go's semantic equality: an empty list or map equals a missing one, at every depth. */
function same(a: unknown, b: unknown): boolean {
  return (isNothing(a) && isNothing(b)) || equalJson(withoutEmptyLists(a), withoutEmptyLists(b))
}

/**
 * Reports a changed field as Go's declarative validation does: without a value. An empty struct is not an absent one. Returns whether the
 * field has changed.
 */
export function validateUnchanged<T extends object>(
  object: T,
  old: T,
  field: keyof T & string,
  at: Path,
  errors: FieldErrors
): boolean {
  if (!isFieldChanged(object, old, field)) return false
  errors.invalid(at.child(field), null, 'field is immutable')
  return true
}

export const isFieldChanged = <T extends object>(object: T, old: T, field: keyof T & string): boolean =>
  !equalJson(withoutEmptyLists({ field: object[field] }), withoutEmptyLists({ field: old[field] }))

const isAbsent = (value: unknown) => value === undefined || value === null

const isNothing = (value: unknown) => isAbsent(value) || (typeof value === 'object' && Object.keys(value).length === 0)

function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([, v]) => v !== null && v !== undefined && !(Array.isArray(v) && v.length === 0))
  return Object.fromEntries(kept.map(([key, v]) => [key, withoutEmptyLists(v)]))
}
