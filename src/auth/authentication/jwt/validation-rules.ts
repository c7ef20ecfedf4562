import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import type { Expression, ExpressionCompiler } from './compiled.js'
import type { ClaimValidationRule } from './configuration.js'

/** Validates claimValidationRules, and returns those that are expressions. */
export function validateClaimValidationRules(
  rules: readonly ClaimValidationRule[],
  path: Path,
  compiler: ExpressionCompiler,
  errors: FieldErrors
): Expression[] {
  const claims = new Set<string>()
  const expressions = new Set<string>()
  const compiled: Expression[] = []

  const validateClaim = ({ claim = '', message = '' }: ClaimValidationRule, at: Path) => {
    if (message !== '') errors.invalid(at.child('message'), message, 'may not be specified when claim is set')
    if (claims.has(claim)) errors.duplicate(at.child('claim'), claim)
    claims.add(claim)
  }
  const validateExpression = ({ expression = '', requiredValue = '', message = '' }: ClaimValidationRule, at: Path) => {
    if (requiredValue !== '')
      errors.invalid(at.child('requiredValue'), requiredValue, 'may not be specified when expression is set')
    if (expressions.has(expression)) return errors.duplicate(at.child('expression'), expression)
    expressions.add(expression)
    const rule = compiler.claimRule(expression, message, at.child('expression'))
    if (rule) compiled.push(rule)
  }

  for (const [i, rule] of rules.entries()) {
    const at = path.index(i)
    if (rule.claim && rule.expression) errors.invalid(at, rule.claim, "claim and expression can't both be set")
    else if (rule.claim) validateClaim(rule, at)
    else if (rule.expression) validateExpression(rule, at)
    else errors.required(at, 'claim or expression is required')
  }
  return compiled
}
