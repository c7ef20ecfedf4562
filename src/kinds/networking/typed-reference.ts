import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1123Subdomain, isPathSegmentName } from '../../apimachinery/validation/names.js'

interface TypedReference {
  readonly apiGroup?: string | null | undefined
  readonly kind: string
  readonly name: string
}

export function validateTypedReference(reference: TypedReference, path: Path, errors: FieldErrors): void {
  const group = reference.apiGroup
  if (group !== undefined && group !== null)
    for (const e of isDns1123Subdomain(group)) errors.invalid(path.child('apiGroup'), group, e)
  for (const field of ['kind', 'name'] as const) {
    const value = reference[field]
    if (value === '') errors.required(path.child(field))
    else for (const e of isPathSegmentName(value)) errors.invalid(path.child(field), value, e)
  }
}
