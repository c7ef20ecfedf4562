import type { FieldErrors } from './field.js'

/** Says whether it is a dry run, which anything that is said makes it. */
export function validateDryRun(values: readonly string[], errors: FieldErrors): boolean {
  if (values.some(v => v !== 'All')) errors.notSupported('dryRun', values, ['All'])
  return values.length > 0
}
