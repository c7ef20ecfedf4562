/** Validates paths inside volumes. */
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'

/** Validates a relative path without "..". */
export function validateLocalDescendingPath(target: string, path: Path, errors: FieldErrors): void {
  if (target.startsWith('/')) errors.invalid(path, target, 'must be a relative path')
  validateNoBacksteps(target, path, errors)
}

/** Validates a relative path that does not start with "..", which volumes reserve: "..data". */
export function validateLocalNonReservedPath(target: string, path: Path, errors: FieldErrors): void {
  validateLocalDescendingPath(target, path, errors)
  if (target.startsWith('..') && !target.startsWith('../')) errors.invalid(path, target, "must not start with '..'")
}

export function validateNoBacksteps(target: string, path: Path, errors: FieldErrors): void {
  if (target.split('/').includes('..')) errors.invalid(path, target, "must not contain '..'")
}
