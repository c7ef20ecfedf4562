import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { goQuote } from '../../util/go-format.js'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const urn = 'urn:uuid:'

/** Requires that the share of a device is a UUID in its plain form. */
export function validateShareId(id: string, path: Path, errors: FieldErrors): void {
  const wrong = problemOf(id)
  if (wrong) errors.invalid(path, id, `error validating uid: ${wrong}`)
  else if (id.length !== 36 || id !== id.toLowerCase()) {
    const form = '`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`'
    errors.invalid(path, id, `uid must be in RFC 4122 normalized form, ${form} with lowercase hexadecimal characters`)
  }
}

/** Returns the error of github.com/google/uuid, which accepts URNs, braces and bare digits as well. */
function problemOf(id: string): string | undefined {
  const malformed = (text: string) => (uuid.test(text) ? undefined : 'invalid UUID format')
  const { length } = Buffer.from(id)
  if (length === 36) return malformed(id)
  if (length === 36 + urn.length) {
    const prefix = id.slice(0, urn.length)
    return prefix.toLowerCase() === urn ? malformed(id.slice(urn.length)) : `invalid urn prefix: ${goQuote(prefix)}`
  }
  if (length === 38) return id.startsWith('{') && id.endsWith('}') ? malformed(id.slice(1, -1)) : 'invalid bracketed UUID format'
  if (length === 32) return /^[0-9a-f]{32}$/i.test(id) ? undefined : 'invalid UUID format'
  return `invalid UUID length: ${length}`
}
