/** Validates metav1.Condition, which newer kinds use for their conditions. */
import type { Condition } from '../api/generated/meta-v1.js'
import type { FieldErrors, Path } from './field.js'
import { validateLabelKey } from './label-selector.js'

const statuses = ['False', 'True', 'Unknown']
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/
const wrongReason =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')"
const maxReason = 1024
const maxMessage = 32 * 1024

export function validateConditions(conditions: readonly Condition[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>()
  conditions.forEach((condition, i) => {
    const at = path.index(i)
    if (seen.has(condition.type)) errors.duplicate(at, condition.type)
    seen.add(condition.type)
    validateCondition(condition, at, errors)
  })
}

function validateCondition(
  { type, status, observedGeneration, lastTransitionTime, reason, message }: Condition,
  path: Path,
  errors: FieldErrors
): void {
  if (type === '') errors.required(path.child('type'), 'is required')
  else validateLabelKey(type, path.child('type'), errors)
  if (status === '') errors.required(path.child('status'))
  else if (!statuses.includes(status)) errors.notSupported(path.child('status'), status, statuses)
  if (observedGeneration !== undefined && observedGeneration < 0)
    errors.invalid(path.child('observedGeneration'), observedGeneration, 'must be greater than or equal to zero')
  if (!lastTransitionTime) errors.required(path.child('lastTransitionTime'))
  validateConditionReason(reason, maxReason, path.child('reason'), errors)
  if (Buffer.byteLength(message) > maxMessage) errors.tooLong(path.child('message'), maxMessage)
}

/** Requires a word in CamelCase or one like it of a limited length in bytes. */
export function validateConditionReason(reason: string, max: number, at: Path, errors: FieldErrors): void {
  if (reason === '') {
    errors.required(at)
    return
  }
  if (!reasonPattern.test(reason)) errors.invalid(at, reason, wrongReason)
  if (Buffer.byteLength(reason) > max) errors.tooLong(at, max)
}
