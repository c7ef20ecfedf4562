/** Compiles ValidatingAdmissionPolicies, and evaluates one for a request with one set of parameters. */
import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
  Validation
} from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { ExpressionCost } from '../../apimachinery/cel/cost/node-costs.js'
import type { Value } from '../../apimachinery/cel/values/value.js'
import type { RequestValues } from '../matching/activation.js'
import type { Authorizers } from '../matching/authorizers.js'
import {
  BudgetError,
  type CompiledExpression,
  compileExpression,
  type Evaluated,
  type EvaluatedAll,
  evaluateAll
} from '../matching/evaluation.js'
import type { ConditionsMet } from '../matching/match-conditions.js'
import { compileExpressions, type PolicyExpressions } from './expressions.js'
import type { BoundPolicy } from './policy-set.js'

/** The most that the validations of one policy, with one set of parameters, may cost together. */
export const policyBudget = 10_000_000
const maxMessageBytes = 5 * 1024

export type BoundValidatingPolicy = BoundPolicy<
  ValidatingAdmissionPolicySpec,
  ValidatingAdmissionPolicyBindingSpec,
  CompiledValidatingPolicy
>

export interface CompiledValidatingPolicy extends PolicyExpressions {
  readonly validations: readonly CompiledExpression[]
  readonly messages: readonly (CompiledExpression | undefined)[]
  readonly annotations: readonly CompiledExpression[]
}

export function compileValidatingPolicy(spec: ValidatingAdmissionPolicySpec): CompiledValidatingPolicy {
  const expressions = compileExpressions(spec)
  const environment = expressions.environment()
  const withoutAuthorizer = expressions.environment({ authorizer: false })
  const validations = spec.validations ?? []
  return {
    ...expressions,
    validations: validations.map(({ expression }) => compileExpression(expression, environment)),
    messages: validations.map(({ messageExpression }) =>
      messageExpression ? compileExpression(messageExpression, withoutAuthorizer) : undefined
    ),
    annotations: (spec.auditAnnotations ?? []).map(({ valueExpression }) => compileExpression(valueExpression, environment))
  }
}

export interface Refusal {
  readonly message: string
  readonly reason?: string | undefined
  /** The index of the validation in the policy; left out for the first one. */
  readonly index?: number
}

export interface Verdict {
  /** The failed validations, about which the binding's actions decide. */
  readonly refusals: readonly Refusal[]
  /** Failures that refuse the request whatever the binding's actions are. */
  readonly failures: readonly Refusal[]
  /** Keys and values for the audit event; the keys lack the policy's name. */
  readonly annotations: readonly (readonly [key: string, value: string])[]
  /** What validations and annotations cost. */
  readonly cost: number
}

const approval: Verdict = { refusals: [], failures: [], annotations: [], cost: 0 }

/** The value of an audit annotation is cut off after this many bytes. */
const maxAnnotationBytes = 10 * 1024

/** The values that expressions see. Match conditions get `conditionRequest`, all other expressions `request`. */
export interface RequestViews {
  readonly object: Value
  readonly oldObject: Value
  readonly namespaceObject: Value
  readonly conditionRequest: Value
  readonly request: Value
  readonly authorizers: Authorizers
}

/** Evaluates the policy's match conditions, validations, messages and audit annotations. `costs` takes what the last three cost. */
export async function evaluatePolicy(
  { spec, compiled }: BoundValidatingPolicy,
  views: RequestViews,
  params: Value,
  conditionsEvaluated: (began: number, met: ConditionsMet) => void = () => {},
  costs?: ExpressionCost[]
): Promise<Verdict> {
  const ignores = spec.failurePolicy === 'Ignore'
  const failed = (message: string): Verdict => (ignores ? approval : { ...approval, refusals: [{ message }] })
  const { object, oldObject, request, conditionRequest, namespaceObject, authorizers } = views
  const began = performance.now()
  const conditionValues = { object, oldObject, request: conditionRequest, params, authorizers }
  const met = await compiled.conditions.met(conditionValues, compiled.variables)
  if (spec.matchConditions?.length) conditionsEvaluated(began, met)
  if (met === false) return approval
  if (met !== true) return failed(met.error)
  const values: RequestValues = { object, oldObject, request, params, namespaceObject }
  try {
    const { results, remaining } = await evaluate(compiled.validations, { ...values, authorizers }, compiled, policyBudget, costs)
    const messages = await evaluateMessages(compiled, values, remaining, costs)
    const refusals = results.flatMap((result, i): Refusal[] => {
      const error = result!.error ?? (typeof messages === 'string' ? messages : undefined)
      if (error !== undefined) return ignores ? [] : [{ message: error, index: i }]
      if (result!.value === true) return []
      const validation = spec.validations![i]!
      return [{ message: messageOf(validation, (messages as EvaluatedAll['results'])[i]), reason: validation.reason, index: i }]
    })
    const { results: annotations, remaining: left } = await evaluate(compiled.annotations, values, compiled, policyBudget, costs)
    const failures = ignores
      ? []
      : annotations.flatMap(result => (result?.error === undefined ? [] : [{ message: result.error }]))
    const cost = 2 * policyBudget - remaining - left
    return { refusals, failures, annotations: annotationsOf(spec, annotations), cost }
  } catch (error) {
    if (error instanceof BudgetError) return { ...failed(error.message), cost: policyBudget }
    throw error
  }
}

/** Returns the audit annotations. A value that is no string, or is blank, makes none. */
function annotationsOf({ auditAnnotations = [] }: ValidatingAdmissionPolicySpec, results: EvaluatedAll['results']) {
  return auditAnnotations.flatMap(({ key }, i): [string, string][] => {
    const value = results[i]?.value
    const text = typeof value === 'string' ? value.trim() : ''
    return text === '' ? [] : [[key, Buffer.from(text).subarray(0, maxAnnotationBytes).toString()]]
  })
}

const evaluate = (
  expressions: readonly (CompiledExpression | undefined)[],
  values: RequestValues,
  { variables }: CompiledValidatingPolicy,
  budget: number,
  costs: ExpressionCost[] | undefined
) => evaluateAll(expressions, values, variables, budget, costs)

/** Evaluates the message expressions. Returns an error text instead of messages when they exceed the budget. */
async function evaluateMessages(
  compiled: CompiledValidatingPolicy,
  values: RequestValues,
  budget: number,
  costs: ExpressionCost[] | undefined
) {
  try {
    return (await evaluate(compiled.messages, values, compiled, budget, costs)).results
  } catch (error) {
    if (error instanceof BudgetError) return `failed messageExpression: ${error.message}`
    throw error
  }
}

/** Returns the computed message if it is a line of text, else the policy's message, else the expression that failed. */
function messageOf({ message = '', expression }: Validation, computed: Evaluated | undefined): string {
  const text = typeof computed?.value === 'string' ? computed.value.trim() : ''
  if (text !== '' && Buffer.byteLength(text) <= maxMessageBytes && !text.includes('\n')) return text
  return message.trim() || `failed expression: ${expression.trim()}`
}
