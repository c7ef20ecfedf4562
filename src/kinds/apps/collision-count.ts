import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'

/** Refuses a count of hash collisions that decreases, or that is removed once it was set. */
export function validateCollisionCount(count: number | undefined, old: number | undefined, errors: FieldErrors): void {
  if (old !== undefined && (count ?? -1) < old)
    errors.invalid(Path.of('status', 'collisionCount'), count ?? 0, 'cannot be decremented')
}
