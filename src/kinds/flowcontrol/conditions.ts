import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { namedText } from '../../apimachinery/validation/go-value.js'

/** Requires a type for each condition, and each type at most once. */
export function validateConditions(conditions: readonly { type?: string | undefined }[] | undefined, errors: FieldErrors): void {
  const types = new Set<string>()
  conditions?.forEach(({ type = '' }, i) => {
    const at = Path.of('status', 'conditions').index(i).child('type')
    if (types.has(type)) errors.duplicate(at, namedText(type))
    types.add(type)
    if (type === '') errors.required(at)
  })
}
