import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isDns1123Label, isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { goQuote } from '../../util/go-format.js'

const legacy = 'kubernetes.io/legacy-unknown'
const maxLength = 571
const maxDomainLength = 253

/** Validates the name of a CertificateSigningRequest's signer. */
export function validateSignerName(name: string, path: Path, errors: FieldErrors): void {
  if (name === legacy) errors.invalid(path, name, 'the legacy signerName is not allowed via this API version')
  else validateAnySignerName(name, path, errors)
}

/** Validates the name of a signer: "example.com/signer". */
export function validateAnySignerName(name: string, path: Path, errors: FieldErrors): void {
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
  if (domain.length > maxDomainLength) errors.tooLong(path, maxDomainLength)
  validateParts(domain, labels, isDns1123Label, path, errors)
  if (labels.length < 2) errors.invalid(path, domain, 'should be a domain with at least two segments separated by dots')
  validateParts(signer, signer.split('.'), isDns1123Subdomain, path, errors)
  if (name.length > maxLength) errors.tooLong(path, maxLength)
}

/** Validates the parts of a name. Reports only the first invalid part. */
function validateParts(text: string, parts: string[], rule: (part: string) => string[], path: Path, errors: FieldErrors): void {
  for (const part of parts) {
    const problems = rule(part)
    for (const e of problems) errors.invalid(path, text, `validating label ${goQuote(part)}: ${e}`)
    if (problems.length > 0) return
  }
}
