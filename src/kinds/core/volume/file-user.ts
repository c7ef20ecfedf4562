import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'

const maxId = 2147483647

/** Validates the owner of a file. */
export function validateUser(user: number | undefined, path: Path, errors: FieldErrors): void {
  if (user !== undefined && (user < 0 || user > maxId)) errors.invalid(path, user, `must be between 0 and ${maxId}, inclusive`)
}
