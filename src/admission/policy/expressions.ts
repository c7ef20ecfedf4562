/** The environments of a policy's expressions, and its compiled variables and match conditions. */
import type { MatchCondition, ParamKind, Variable } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import { admissionEnvironment, variableType } from '../../apimachinery/cel/admission-environment.js'
import type { Environment } from '../../apimachinery/cel/environment.js'
import { dynType, type Type } from '../../apimachinery/cel/types.js'
import { type CompiledExpression, compileExpression, type NamedExpressions } from '../matching/evaluation.js'
import { MatchConditions } from '../matching/match-conditions.js'

interface Spec {
  readonly paramKind?: ParamKind | undefined
  readonly variables?: readonly Variable[] | undefined
  readonly matchConditions?: readonly MatchCondition[] | undefined
  readonly failurePolicy?: string | undefined
}

export interface PolicyExpressions {
  readonly variables: NamedExpressions
  readonly conditions: MatchConditions
  /** Returns the environment for the policy's other expressions. */
  environment(more?: { readonly authorizer?: boolean; readonly patches?: boolean }): Environment
}

export function compileExpressions(spec: Spec): PolicyExpressions {
  const types = new Map<string, Type>()
  const environment: PolicyExpressions['environment'] = ({ authorizer = true, patches = false } = {}) =>
    admissionEnvironment({ params: spec.paramKind !== undefined, authorizer, patches, variables: types })
  const variables = new Map<string, CompiledExpression>()
  for (const { name, expression } of spec.variables ?? []) {
    const compiled = compileExpression(expression, environment())
    types.set(name, compiled.program ? variableType(compiled.program.type) : dynType)
    variables.set(name, compiled)
  }
  const conditions = new MatchConditions(spec.matchConditions ?? [], environment(), spec.failurePolicy)
  return { variables, conditions, environment }
}
