import type { FieldErrors, Path } from '../../validation/field.js'
import { isDns1123Label, isDns1123Subdomain } from '../../validation/names.js'

const legacy = 'kubernetes.io/legacy-unknown'
const maxLength = 571

/** "example.com/signer" */
export function validateSignerName(name: string, path: Path, errors: FieldErrors): void {
  if (name === legacy) {
    errors.invalid(path, name, 'the legacy signerName is not allowed via this API version')
    return
  }
  if (name === '') {
    errors.required(path)
    return
  }
  const segments = name.split('/')
  if (segments.length !== 2) {
    errors.invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")
    return
  }
  const [domain = '', signer = ''] = segments
  const labels = domain.split('.')
  if (labels.length < 2) errors.invalid(path, domain, 'should be a domain with at least two segments separated by dots')
  for (const label of labels)
    for (const e of isDns1123Label(label)) errors.invalid(path, domain, `validating label ${JSON.stringify(label)}: ${e}`)
  for (const part of signer.split('.'))
    for (const e of isDns1123Subdomain(part)) errors.invalid(path, signer, `validating label ${JSON.stringify(part)}: ${e}`)
  if (name.length > maxLength) errors.tooLong(path, maxLength)
}
