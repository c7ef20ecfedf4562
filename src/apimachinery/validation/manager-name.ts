import { isPrintable } from '../../util/go-format.js'
import type { FieldErrors, Path } from './field.js'

/** Most bytes in the name of a field manager. */
export const maxManagerBytes = 128

/** Validates the name of a field manager, in options or in managedFields: short and printable. */
export function validateManagerName(name: string, path: Path | string, errors: FieldErrors): void {
  if (Buffer.byteLength(name) > maxManagerBytes) errors.tooLong(path, maxManagerBytes)
  let position = 0
  for (const char of name) {
    if (!isPrintable(char)) {
      const code = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      errors.invalid(path, name, `invalid character U+${code} (at position ${position})`)
    }
    position += Buffer.byteLength(char)
  }
}
