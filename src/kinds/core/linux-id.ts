import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'

const maxId = 2147483647

/** Validates the id of a user or group of Linux. */
export function validateId(id: number | undefined, path: Path, errors: FieldErrors): void {
  if (id !== undefined && (id < 0 || id > maxId)) errors.invalid(path, id, `must be between 0 and ${maxId}, inclusive`)
}
