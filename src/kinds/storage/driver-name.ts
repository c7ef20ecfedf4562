import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1123Subdomain } from '../../apimachinery/validation/names.js'

const maxLength = 63

/** Validates names of CSI and DRA drivers: subdomains in any case. */
export function validateDriverName(name: string, path: Path | string, errors: FieldErrors): void {
  if (name === '') errors.required(path)
  if (name.length > maxLength) errors.tooLong(path, maxLength)
  if (name !== '') for (const e of isDns1123Subdomain(name.toLowerCase())) errors.invalid(path, name, e)
}
