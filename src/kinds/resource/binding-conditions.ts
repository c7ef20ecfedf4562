import { given } from '../../apimachinery/schema/given.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { validateLabelKey } from '../../apimachinery/validation/label-selector.js'
import { validateList } from './lists.js'

const maxConditions = 4
const fields = ['bindingConditions', 'bindingFailureConditions'] as const

type Conditions = { readonly [field in (typeof fields)[number]]?: readonly string[] | undefined }

/** Validates binding conditions and binding failure conditions: both or neither must be set, and they must not overlap. */
export function validateBindingConditions(of: Conditions, at: Path, errors: FieldErrors): void {
  for (const field of fields)
    validateList(of[field], maxConditions, at.child(field), errors, (condition, path) =>
      validateLabelKey(condition, path, errors)
    )
  const { bindingConditions = [], bindingFailureConditions = [] } = of
  const seen = new Set<string>()
  bindingConditions.forEach((condition, i) => {
    if (seen.has(condition)) errors.duplicate(at.child('bindingConditions').index(i), condition)
    seen.add(condition)
  })
  const failures = new Set<string>()
  bindingFailureConditions.forEach((condition, i) => {
    const path = at.child('bindingFailureConditions').index(i)
    if (failures.has(condition)) errors.duplicate(path, condition)
    failures.add(condition)
    if (seen.has(condition)) errors.invalid(path, condition, 'bindingFailureConditions must not overlap with bindingConditions')
  })
  if (seen.size === 0 && failures.size > 0)
    errors.invalid(
      at.child('bindingConditions'),
      given(of, 'bindingConditions'),
      'bindingConditions are required to use bindingFailureConditions'
    )
  if (failures.size === 0 && seen.size > 0)
    errors.invalid(
      at.child('bindingFailureConditions'),
      given(of, 'bindingFailureConditions'),
      'bindingFailureConditions are required to use bindingConditions'
    )
}
