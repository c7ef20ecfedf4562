import { type GroupKind, invalid, type StatusError } from '../status/status.js'
import type { FieldErrors } from './field.js'

/**
 * 422: an object is invalid: `Pod "web" is invalid: spec.priority: Invalid value: …`. The message merges identical errors; the
 * causes list each.
 *
 * @example
 * const errors = new FieldErrors()
 * if (object.spec.seats > 30) errors.invalid(Path.of('spec', 'seats'), object.spec.seats, 'the room has 30 seats')
 * if (errors.any) throw invalidObject({ group: 'school.example.com', kind: 'Course' }, object.metadata.name, errors)
 */
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
