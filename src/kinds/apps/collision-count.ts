import { type FieldErrors, Path } from '../../validation/field.js'

/** Counts of hash collisions only grow. A count that was never there may come, one that was there may not go. */
export function validateCollisionCount(count: number | undefined, old: number | undefined, errors: FieldErrors): void {
  if (old !== undefined && (count ?? -1) < old)
    errors.invalid(Path.of('status', 'collisionCount'), count ?? 0, 'cannot be decremented')
}
