/** Defaults and validation that validating and mutating admission policies share. */
import type {
  MatchCondition,
  MatchResources,
  ParamKind,
  Variable
} from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { NewExpressions } from '../../apimachinery/cel/new-expressions.js'
import { reservedWords } from '../../apimachinery/cel/parser/reserved.js'
import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { isCIdentifier, isDns1035Label, isDns1123Subdomain } from '../../apimachinery/validation/names.js'
import { ExpressionValidator } from './expressions.js'
import { validateMatchConditions } from './match-conditions.js'
import { defaultMatchResources, validateMatchConstraints } from './match-resources.js'
import { validateMutatingOperations } from './rules.js'

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

/** Returns the function that validates the policy's other expressions. */
export function validatePolicy(
  spec: PolicySpec,
  at: Path,
  errors: FieldErrors,
  news: NewExpressions,
  { mutating = false }: { mutating?: boolean } = {}
): ExpressionValidator {
  // a mutating policy always has the list, if only an empty one
  const variables = mutating || Boolean(spec.variables?.length)
  const params = spec.paramKind !== undefined
  const expressions = new ExpressionValidator(news, { params, variables })
  if (!failurePolicies.includes(spec.failurePolicy!))
    errors.notSupported(at.child('failurePolicy'), spec.failurePolicy, failurePolicies)
  if (spec.paramKind) validateParamKind(spec.paramKind, at.child('paramKind'), errors)
  validateMatchConstraints(spec.matchConstraints, at.child('matchConstraints'), errors)
  if (mutating)
    validateMutatingOperations(
      spec.matchConstraints?.resourceRules,
      at.child('matchConstraints', 'resourceRules', 'operations'),
      errors
    )
  validateMatchConditions(spec.matchConditions, at.child('matchConditions'), errors, news, { params })
  spec.variables?.forEach(({ name, expression }, i) => {
    const path = at.child('variables').index(i)
    if (name.trim() === '') errors.required(path.child('name'), 'name is not specified')
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
    const version = parts.at(-1)!
    if (group !== '') validateTogether(group, isDns1123Subdomain(group), at.child('apiVersion'), errors)
    if (version === '') errors.invalid(at.child('apiVersion'), apiVersion, 'version must be specified')
    else validateTogether(version, isDns1035Label(version), at.child('apiVersion'), errors)
  }
  if (kind === '') errors.required(at.child('kind'))
  else {
    const wrong = isDns1035Label(kind.toLowerCase())
    if (wrong.length > 0)
      errors.invalid(at.child('kind'), kind, `may have mixed case, but should otherwise match: ${wrong.join(',')}`)
  }
}

/** Reports all problems as one error. */
function validateTogether(value: string, wrong: readonly string[], path: Path, errors: FieldErrors): void {
  if (wrong.length > 0) errors.invalid(path, value, wrong.join(','))
}
