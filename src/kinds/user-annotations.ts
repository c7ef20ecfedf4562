import type { FieldErrors, Path } from '../apimachinery/validation/field.js'
import { isQualifiedName } from '../apimachinery/validation/names.js'

const maxBytes = 256 * 1024

/** Validates annotations that a user passes on to a signer: their keys have a domain. */
export function validateUserAnnotations(annotations: Readonly<Record<string, string>>, path: Path, errors: FieldErrors): void {
  let size = 0
  for (const [given, value] of Object.entries(annotations)) {
    size += Buffer.byteLength(given) + Buffer.byteLength(value)
    const key = given.toLowerCase()
    const problems = key === '' ? [] : isQualifiedName(key)
    if (key === '') errors.required(path)
    for (const problem of problems) errors.invalid(path, key, problem)
    if (key !== '' && problems.length === 0 && !key.includes('/'))
      errors.invalid(path, key, 'must be a domain-prefixed key (such as "acme.io/foo")')
  }
  if (size > maxBytes) errors.tooLong(path, maxBytes)
}
