import type { FieldErrors, Path } from '../apimachinery/validation/field.js'
import { validateNonNegatives } from '../apimachinery/validation/numbers.js'

interface ReplicaCounts {
  readonly replicas?: number | undefined
  readonly readyReplicas?: number | undefined
  readonly availableReplicas?: number | undefined
}

/**
 * Validates the counts in the status of a kind that runs replicas: none of `counts` is negative, none of `parts` is more than all
 * replicas, and no replica is available without being ready. `ready` is how the last error names the ready ones.
 */
export function validateReplicaCounts<T extends ReplicaCounts>(
  status: T,
  counts: readonly (keyof T & string)[],
  parts: readonly (keyof T & string)[],
  path: Path,
  errors: FieldErrors,
  ready = 'readyReplicas'
): void {
  validateNonNegatives(status, counts, path, errors)
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status
  for (const field of parts) {
    const count = (status[field] as number | undefined) ?? 0
    if (count > replicas) errors.invalid(path.child(field), count, 'cannot be greater than status.replicas')
  }
  if (availableReplicas > readyReplicas)
    errors.invalid(path.child('availableReplicas'), availableReplicas, `cannot be greater than ${ready}`)
}
