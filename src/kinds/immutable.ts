import { loadSchema } from '../apimachinery/schema/load.js'
import { withRawText } from '../apimachinery/schema/raw-values.js'
import type { FieldErrors, Path } from '../apimachinery/validation/field.js'
import { internalText } from '../apimachinery/validation/internal-text.js'
import { semanticDeepEqual } from '../apimachinery/validation/semantic-equality.js'

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

/** Here an empty map is as good as a missing one, too. */
const same = (a: unknown, b: unknown): boolean => (isNothing(a) && isNothing(b)) || semanticDeepEqual(a, b)

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
  !semanticDeepEqual(object[field], old[field])

const isAbsent = (value: unknown) => value === undefined || value === null

const isNothing = (value: unknown) => isAbsent(value) || (typeof value === 'object' && Object.keys(value).length === 0)
