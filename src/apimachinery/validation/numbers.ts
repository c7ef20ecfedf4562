/** Rules for numbers, and for fields that are a number or a percentage. */
import type { FieldErrors, Path } from './field.js'

export function validateNonNegative(value: number | undefined, path: Path, errors: FieldErrors): void {
  if (value !== undefined && value < 0) errors.invalid(path, value, 'must be greater than or equal to 0')
}

/** Validates several fields of one object. */
export function validateNonNegatives<T>(object: T, fields: readonly (keyof T & string)[], path: Path, errors: FieldErrors): void {
  for (const field of fields) validateNonNegative(object[field] as number | undefined, path.child(field), errors)
}

const percent = /^[0-9]+%$/
const notPercent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

export function validateIntOrPercent(value: number | string | undefined, path: Path, errors: FieldErrors): void {
  if (typeof value === 'number') validateNonNegative(value, path, errors)
  else if (value !== undefined && !percent.test(value)) errors.invalid(path, value, notPercent)
}

export function validateAtMost100Percent(value: number | string | undefined, path: Path, errors: FieldErrors): void {
  if (typeof value === 'string' && percent.test(value) && parseInt(value, 10) > 100)
    errors.invalid(path, value, 'must not be greater than 100%')
}

/** Returns the number itself, or the number of the percentage. Any other value counts as 0. */
export function intOrPercentValue(value: number | string | undefined): number {
  return typeof value === 'string' ? (/^[0-9]+%?$/.test(value) ? parseInt(value, 10) : 0) : (value ?? 0)
}
