import type { FieldErrors, Path } from '../../validation/field.js'
import { isCIdentifier } from '../../validation/names.js'
import { validateDriverName } from '../storage/driver-name.js'

const maxIdLength = 32

/** Names of attributes and capacities: "memory" or "example.com/memory". */
export function validateQualifiedName(name: string, path: Path, errors: FieldErrors): void {
  const parts = name.split('/')
  if (name === '') errors.required(path, 'name required')
  else if (parts.length === 1) validateId(name, path, errors)
  else if (parts.length > 2) errors.invalid(path, name, 'a fully qualified name must be a domain and a name separated by a slash')
  else {
    if (parts[0] === '') errors.required(path, 'the domain must not be empty')
    else validateDriverName(parts[0]!, path, errors)
    if (parts[1] === '') errors.required(path, 'the name must not be empty')
    else validateId(parts[1]!, path, errors)
  }
}

export function validateFullyQualifiedName(name: string, path: Path, errors: FieldErrors): void {
  validateQualifiedName(name, path, errors)
  if (!name.includes('/')) errors.invalid(path, name, 'a fully qualified name must be a domain and a name separated by a slash')
}

function validateId(id: string, path: Path, errors: FieldErrors): void {
  if (id.length > maxIdLength) errors.tooLong(path, maxIdLength)
  for (const e of isCIdentifier(id)) errors.invalid(path, id, e)
}
