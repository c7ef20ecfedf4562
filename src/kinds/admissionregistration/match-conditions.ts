import type { MatchCondition } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { NewExpressions } from '../../apimachinery/cel/new-expressions.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isQualifiedName } from '../../apimachinery/validation/names.js'
import { condition, ExpressionValidator } from './expressions.js'

const maxConditions = 64

export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  path: Path,
  errors: FieldErrors,
  news: NewExpressions,
  { params = false }: { params?: boolean } = {}
): void {
  if (!conditions) return
  const validator = new ExpressionValidator(news, { params })
  if (conditions.length > maxConditions) errors.tooMany(path, conditions.length, maxConditions)
  const names = new Set<string>()
  conditions.forEach(({ name, expression }, i) => {
    const at = path.index(i)
    const trimmed = expression.trim()
    if (trimmed === '') errors.required(at.child('expression'))
    else validator.validate(trimmed, condition, at.child('expression'), errors)
    if (name === '') errors.required(at.child('name'))
    else {
      for (const e of isQualifiedName(name)) errors.invalid(at.child('name'), name, e)
      if (names.has(name)) errors.duplicate(at.child('name'), name)
    }
    names.add(name)
  })
}
