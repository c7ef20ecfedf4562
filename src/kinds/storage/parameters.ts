import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'

const maxParameters = 512
const maxBytes = 256 * 1024

/** Validates the opaque parameters of StorageClasses and VolumeAttributesClasses. */
export function validateParameters(parameters: Record<string, string> | undefined, path: Path, errors: FieldErrors): void {
  if (!parameters) return
  const entries = Object.entries(parameters)
  if (entries.length > maxParameters) {
    errors.tooLong(path, maxParameters)
    return
  }
  let size = 0
  for (const [key, value] of entries) {
    if (key === '') errors.invalid(path, key, 'field can not be empty.')
    size += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  if (size > maxBytes) errors.tooLong(path, maxBytes)
}

/** Validates the provisioner of a class. */
export function validateProvisioner(name: string, path: string, errors: FieldErrors): void {
  if (name === '') errors.required(path)
  else for (const e of isQualifiedName(name.toLowerCase())) errors.invalid(path, name.toLowerCase(), e)
}
