import { equalJson } from '../util/json.js'
import type { FieldErrors, Path } from '../validation/field.js'

/** A field that may not change. `shown` is how the error prints the new value where that differs from JSON. */
export function validateImmutable(
  path: Path | string,
  value: unknown,
  old: unknown,
  errors: FieldErrors,
  shown?: () => unknown
): void {
  if (!same(value, old)) errors.invalid(path, shown ? shown() : value, 'field is immutable')
}

/** Semantic equality: what is empty is like what is absent. */
function same(a: unknown, b: unknown): boolean {
  return equalJson(a, b) || (isNothing(a) && isNothing(b))
}

const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
