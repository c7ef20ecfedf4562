import { type GroupKind, invalid, type StatusError } from '../status/status.js'
import type { FieldErrors } from './field.js'

/** Creates the 422 for the errors of a validation. The message merges identical errors; the causes list each of them. */
export function invalidObject(kind: GroupKind, name: string, errors: FieldErrors): StatusError {
  const texts = [...new Set(errors.list.map(e => `${e.field}: ${e.message}`))]
  const message = texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`
  return invalid(
    kind,
    name,
    message,
    errors.list.map(({ reason, message, field }) => ({ reason, message, field }))
  )
}
