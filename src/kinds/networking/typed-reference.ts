import type { FieldErrors, Path } from '../../validation/field.js'
import { isDns1123Subdomain, isPathSegmentName } from '../../validation/names.js'

interface TypedReference {
  readonly apiGroup?: string | undefined
  readonly kind: string
  readonly name: string
}

export function validateTypedReference(reference: TypedReference, path: Path, errors: FieldErrors): void {
  if (reference.apiGroup !== undefined)
    for (const e of isDns1123Subdomain(reference.apiGroup)) errors.invalid(path.child('apiGroup'), reference.apiGroup, e)
  for (const field of ['kind', 'name'] as const) {
    const value = reference[field]
    if (value === '') errors.required(path.child(field))
    else for (const e of isPathSegmentName(value, false)) errors.invalid(path.child(field), value, e)
  }
}
