import type { MatchCondition } from '../../api/generated/admissionregistration-v1.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isQualifiedName } from '../../validation/names.js'

const maxConditions = 64

export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  path: Path,
  errors: FieldErrors
): void {
  if (!conditions) return
  if (conditions.length > maxConditions) errors.tooMany(path, conditions.length, maxConditions)
  const names = new Set<string>()
  conditions.forEach(({ name, expression }, i) => {
    const at = path.index(i)
    if (expression.trim() === '') errors.required(at.child('expression'))
    if (name === '') errors.required(at.child('name'))
    else {
      for (const e of isQualifiedName(name)) errors.invalid(at.child('name'), name, e)
      if (names.has(name)) errors.duplicate(at.child('name'), name)
    }
    names.add(name)
  })
}
