import { type FieldErrors, Path } from '../../validation/field.js'

/** A count of hash collisions never decreases, and is never removed once it is set. */
export function validateCollisionCount(count: number | undefined, old: number | undefined, errors: FieldErrors): void {
  if (old !== undefined && (count ?? -1) < old)
    errors.invalid(Path.of('status', 'collisionCount'), count ?? 0, 'cannot be decremented')
}
