/** What validating and mutating admission policies have in common. */
import type { MatchCondition, MatchResources, ParamKind, Variable } from '../../api/generated/admissionregistration-v1.js'
import { reservedWords } from '../../cel/parser/reserved.js'
import type { FieldErrors, Path } from '../../validation/field.js'
import { isCIdentifier, isDns1035Label, isDns1123Subdomain } from '../../validation/names.js'
import { ExpressionValidator } from './expressions.js'
import { validateMatchConditions } from './match-conditions.js'
import { defaultMatchResources, validateMatchConstraints } from './match-resources.js'

export const failurePolicies = ['Fail', 'Ignore']

interface PolicySpec {
  paramKind?: ParamKind | undefined
  matchConstraints?: MatchResources | undefined
  failurePolicy?: string | undefined
  matchConditions?: MatchCondition[] | undefined
  variables?: Variable[] | undefined
}

export const shownParamKind = ({ spec: { paramKind } }: { spec: PolicySpec }) =>
  paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : '<unset>'

export function defaultPolicy(spec: PolicySpec): void {
  spec.failurePolicy ??= 'Fail'
  defaultMatchResources(spec.matchConstraints)
}

/** Answers with what validates the policy's other expressions; with `variables` they can name these even if there are none. */
export function validatePolicy(
  spec: PolicySpec,
  at: Path,
  errors: FieldErrors,
  { variables = Boolean(spec.variables?.length) }: { variables?: boolean } = {}
): ExpressionValidator {
  const params = spec.paramKind !== undefined
  const expressions = new ExpressionValidator({ params, variables })
  if (!failurePolicies.includes(spec.failurePolicy!))
    errors.notSupported(at.child('failurePolicy'), spec.failurePolicy, failurePolicies)
  if (spec.paramKind) validateParamKind(spec.paramKind, at.child('paramKind'), errors)
  validateMatchConstraints(spec.matchConstraints, at.child('matchConstraints'), errors)
  validateMatchConditions(spec.matchConditions, at.child('matchConditions'), errors, { params })
  spec.variables?.forEach(({ name, expression }, i) => {
    const path = at.child('variables').index(i)
    if (name === '') errors.required(path.child('name'), 'name is not specified')
    else if (isCIdentifier(name).length > 0 || reservedWords.has(name))
      errors.invalid(path.child('name'), name, 'must be a valid CEL identifier')
    if (expression.trim() === '') errors.required(path.child('expression'), 'expression is not specified')
    else expressions.declare(name, expression, path.child('expression'), errors)
  })
  return expressions
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, at: Path, errors: FieldErrors): void {
  const parts = apiVersion.split('/')
  if (apiVersion === '') errors.required(at.child('apiVersion'))
  else if (parts.length > 2) errors.invalid(at.child('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`)
  else {
    const group = parts.length === 2 ? parts[0]! : ''
    if (group !== '') for (const e of isDns1123Subdomain(group)) errors.invalid(at.child('apiVersion'), group, e)
    for (const e of isDns1035Label(parts.at(-1)!)) errors.invalid(at.child('apiVersion'), parts.at(-1), e)
  }
  if (kind === '') errors.required(at.child('kind'))
  else
    for (const e of isDns1035Label(kind.toLowerCase()))
      errors.invalid(at.child('kind'), kind, `may have mixed case, but should otherwise match: ${e}`)
}
