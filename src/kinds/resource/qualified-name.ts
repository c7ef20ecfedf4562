import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isCIdentifier } from '../../apimachinery/validation/names.js'
import { validateDriverName } from '../storage/driver-name.js'

const maxDomain = 63
const maxId = 32
export const maxQualifiedName = maxDomain + 1 + maxId

/** Validates names of attributes and capacities: "memory" or "example.com/memory". Names with more slashes pass. */
export function validateQualifiedName(name: string, path: Path, errors: FieldErrors): void {
  const parts = name.split('/')
  if (parts.length === 1) validateId(name, path, errors)
  if (parts.length !== 2) return
  if (parts[0] === '') errors.invalid(path, '', 'the domain must not be empty')
  else validateDriverName(parts[0]!, path, errors)
  if (parts[1] === '') errors.invalid(path, '', 'the name must not be empty')
  else validateId(parts[1]!, path, errors)
}

export function validateFullyQualifiedName(name: string, path: Path, errors: FieldErrors): void {
  validateQualifiedName(name, path, errors)
  if (!name.includes('/')) errors.invalid(path, name, 'a fully qualified name must be a domain and a name separated by a slash')
}

function validateId(id: string, path: Path, errors: FieldErrors): void {
  if (Buffer.byteLength(id) > maxId) errors.tooLong(path, maxId)
  for (const e of isCIdentifier(id)) errors.invalid(path, id, e)
}
