import { type GroupKind, invalid, type StatusError } from '../status/status.js'
import type { FieldErrors } from './field.js'

/** The 422 for what validation found. The message merges identical errors; the causes list each. */
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
