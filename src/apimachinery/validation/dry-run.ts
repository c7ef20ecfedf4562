import type { FieldErrors } from './field.js'

/** Validates the dryRun option. Returns whether the request is a dry run, which any value makes it. */
export function validateDryRun(values: readonly string[], errors: FieldErrors): boolean {
  if (values.some(v => v !== 'All')) errors.notSupported('dryRun', values, ['All'])
  return values.length > 0
}
