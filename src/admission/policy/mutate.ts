/** Applies one MutatingAdmissionPolicy, with one set of parameters, to the object of a request. */

import type { ExpressionCost } from '../../apimachinery/cel/cost/node-costs.js'
import { jsonValue } from '../../apimachinery/cel/values/json.js'
import type { Value } from '../../apimachinery/cel/values/value.js'
import { cloneJson, equalJson } from '../../util/json.js'
import { takingTurns } from '../../util/turns.js'
import type { AdmissionAttributes } from '../admission.js'
import { type AdmissionMetrics, type PolicyError, policyErrorOf } from '../admission-metrics.js'
import { namespaceValue, requestValue } from '../matching/activation.js'
import type { Authorizers } from '../matching/authorizers.js'
import { BudgetError, type CompiledExpression, evaluateAll } from '../matching/evaluation.js'
import { requestedResource } from '../matching/rules.js'
import type { ServedResource } from '../matching/served-resource.js'
import { applyMutation } from './apply-mutation.js'
import { jsonPatchMutation } from './json-patch-mutation.js'
import type { MutatedObject } from './mutated-object.js'
import type { BoundMutatingPolicy } from './mutating-policy.js'
import { MutationError } from './mutation-error.js'
import { policyBudget } from './validating-policy.js'

export interface Invocation {
  readonly policy: BoundMutatingPolicy
  readonly binding: string
  /** Identifies the invocation in the second round. */
  readonly key: string
  readonly matched: ServedResource
  readonly params: Value
}

export interface Outcome {
  readonly problems: readonly string[]
  /** False when the match conditions do not hold, or when this round skips the policy. */
  readonly asked: boolean
  readonly changed: boolean
  /** Whether a mutation was applied, even if it changed nothing. */
  readonly mutated: boolean
  readonly cost: number
}

const notAsked: Outcome = { problems: [], asked: false, changed: false, mutated: false, cost: 0 }

/** Changes the object. With `skips`, only evaluates the match conditions. `costs` takes what the mutations cost. */
export async function mutate(
  attributes: AdmissionAttributes,
  mutatedObject: MutatedObject,
  invocation: Invocation,
  authorizers: Authorizers,
  skips: boolean,
  metrics: AdmissionMetrics,
  costs?: ExpressionCost[]
): Promise<Outcome> {
  const { policy, matched, params } = invocation
  const { compiled } = policy
  let { object, oldObject } = await mutatedObject.shownAs(matched)
  const shared = { oldObject: jsonValue(oldObject), params, authorizers }
  const conditionRequest = requestValue(attributes, requestedResource(attributes), matched)
  const conditionValues = { ...shared, object: jsonValue(object), request: conditionRequest }
  const asked = performance.now()
  const met = await compiled.conditions.met(conditionValues, compiled.variables)
  if (policy.spec.matchConditions?.length)
    metrics.conditionsEvaluated({ name: policy.name, kind: 'policy', type: 'validate' }, attributes.operation, asked, met)
  if (met === false) return notAsked
  if (met !== true) return { ...notAsked, problems: [met.error] }
  if (skips || object === null) return notAsked
  const values = { ...shared, request: requestValue(attributes, matched), namespaceObject: namespaceValue(attributes) }
  const before = cloneJson(object)
  const problems: string[] = []
  let mutated = false
  let cost = 0
  const turn = takingTurns()
  for (const { patchType, expression } of compiled.mutations) {
    const pending = turn()
    if (pending) await pending
    const began = performance.now()
    const done = (error: PolicyError) =>
      metrics.mutated(policy.name, invocation.binding, error, (performance.now() - began) / 1000)
    try {
      const current = { ...values, object: jsonValue(object) }
      const { value, cost: spent } = await evaluated(expression, current, policy, costs)
      cost += spent
      if (patchType === 'JSONPatch') {
        const patched = jsonPatchMutation(object, value)
        if (patched) await mutatedObject.takePatched(matched, patched)
      } else await mutatedObject.takeApplied(matched, applyMutation(matched, attributes.subresource, object, value))
      mutated = true
      object = (await mutatedObject.shownAs(matched)).object
      done('no_error')
    } catch (error) {
      if (!(error instanceof MutationError || error instanceof BudgetError)) throw error
      problems.push(error.message)
      done(policyErrorOf(error.message))
    }
  }
  const pending = turn()
  if (pending) await pending
  return { problems, asked: true, changed: !equalJson(before, object), mutated, cost }
}

async function evaluated(
  expression: CompiledExpression,
  values: Parameters<typeof evaluateAll>[1],
  { compiled }: BoundMutatingPolicy,
  costs: ExpressionCost[] | undefined
): Promise<{ readonly value: Value; readonly cost: number }> {
  if (!expression.program) throw new MutationError(expression.problem)
  const { results, remaining } = await evaluateAll([expression], values, compiled.variables, policyBudget, costs)
  const { value, error } = results[0]!
  if (error !== undefined) throw new MutationError(error)
  return { value, cost: policyBudget - remaining }
}
