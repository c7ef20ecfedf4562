/** Paths inside volumes. */
import type { FieldErrors, Path } from '../../../validation/field.js'

/** A relative path that does not climb out. */
export function validateLocalDescendingPath(target: string, path: Path, errors: FieldErrors): void {
  if (target.startsWith('/')) errors.invalid(path, target, 'must be a relative path')
  validateNoBacksteps(target, path, errors)
}

/** A relative path that is none of the names that volumes keep for themselves: "..data". */
export function validateLocalNonReservedPath(target: string, path: Path, errors: FieldErrors): void {
  validateLocalDescendingPath(target, path, errors)
  if (target.startsWith('..') && !target.startsWith('../')) errors.invalid(path, target, "must not start with '..'")
}

export function validateNoBacksteps(target: string, path: Path, errors: FieldErrors): void {
  if (target.split('/').includes('..')) errors.invalid(path, target, "must not contain '..'")
}
