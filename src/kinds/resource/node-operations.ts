import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'

const prepare = 'NodePrepareResources'

/** What is not prepared on a node is not unprepared either. */
export function validateSkippedOperations(skipped: readonly string[] | undefined, at: Path, errors: FieldErrors): void {
  if (!skipped?.includes(prepare) || skipped.includes('*') || skipped.includes('NodeUnprepareResources')) return
  errors.invalid(at, skipped, `${prepare} cannot be skipped unless NodeUnprepareResources is also skipped`)
}
