/** Validates by the rules that a kind's types declare, after those that the kind's file writes by hand. */
import { validateDeclared as validateByType } from '../../apimachinery/declared/validate.js'
import type { FieldErrors } from '../../apimachinery/validation/field.js'
import type { Operation } from './operation.js'

/** `old` is left out for a new object. */
export function validateDeclared(
  { resource, subresource, services }: Operation,
  object: unknown,
  old: unknown,
  errors: FieldErrors
): void {
  const { kind } = resource
  // custom resources declare their rules in their schemas
  if (!kind.custom) validateByType(kind.versions[0]!.type, object, old, subresource, errors, services.features)
}
