/** Validates the rules of a definition's schema, at the points at which kube-apiserver does. */

import type { NewExpressions } from '../../cel/new-expressions.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import type { SchemaRules } from '../definition/validate.js'
import { structuralSchema } from '../structural.js'
import { ruleValidator } from './rule-validator.js'
import { hasRules, validateCompiledRules, validateRuleFields } from './validate-rules.js'

/** `news` limits the functions of rules. A default is validated by all functions, as objects are. */
export const schemaRules = (news: NewExpressions): SchemaRules => ({
  declared(schema, path, errors) {
    if (schema['x-kubernetes-validations']) validateRuleFields(structuralSchema(schema), path, errors)
  },
  ofDefault(schema, value, path, errors) {
    ruleValidator(schema, false)?.validateDefault(value, path, errors)
  },
  compiled(source, path, problems, errors) {
    const root = structuralSchema(source)
    if (hasRules(root)) validateCompiledRules(root, path, errors, (_, at) => isFlawed(problems, at), news)
  }
})

/** Whether a schema, or one nested in it, has errors. */
function isFlawed(problems: FieldErrors, at: Path): boolean {
  if (!problems.any) return false
  const place = String(at)
  return problems.list.some(({ field }) => field.startsWith(place) && /^$|^[.[]/.test(field.slice(place.length)))
}
