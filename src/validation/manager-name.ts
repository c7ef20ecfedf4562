import { goQuote } from '../util/go-format.js'
import type { FieldErrors, Path } from './field.js'

const maxBytes = 128

/** The name of a field manager, in options or in managedFields: short and printable. */
export function validateManagerName(name: string, path: Path | string, errors: FieldErrors): void {
  if (Buffer.byteLength(name) > maxBytes) errors.tooLong(path, maxBytes)
  let position = 0
  for (const char of name) {
    if (!/[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(char)) {
      const code = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      errors.invalid(
        path,
        name,
        `invalid character U+${code}${/\p{Cc}/u.test(char) ? '' : ` ${goQuote(char)}`} (at position ${position})`
      )
    }
    position += Buffer.byteLength(char)
  }
}
