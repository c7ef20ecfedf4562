/**
 * Match conditions: expressions that must all hold for a webhook or policy to apply to a request
 * (https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-matchconditions).
 */
import type { MatchCondition } from '../../apimachinery/api/generated/admissionregistration-v1.js'
import type { Environment } from '../../apimachinery/cel/environment.js'
import { aggregateText } from '../../util/go-format.js'
import type { RequestValues } from './activation.js'
import { BudgetError, type CompiledExpression, compileExpression, evaluateAll, type NamedExpressions } from './evaluation.js'

/** The most that all conditions of a webhook or policy may cost together. */
const budget = 2_500_000

/** Whether all conditions hold, or the error that the request fails with. */
export type ConditionsMet = boolean | { readonly error: string }

export class MatchConditions {
  readonly #conditions: readonly CompiledExpression[]
  readonly #ignoresErrors: boolean

  constructor(conditions: readonly MatchCondition[], environment: Environment, failurePolicy: string | undefined) {
    this.#conditions = conditions.map(({ expression }) => compileExpression(expression, environment))
    this.#ignoresErrors = failurePolicy === 'Ignore'
  }

  /** Evaluates all conditions. One that is false decides, even when others fail. */
  async met(values: RequestValues, variables?: NamedExpressions): Promise<ConditionsMet> {
    if (this.#conditions.length === 0) return true
    try {
      const { results } = await evaluateAll(this.#conditions, values, variables, budget)
      if (results.some(result => result?.value === false)) return false
      const errors = results.flatMap(result => result?.error ?? [])
      return errors.length === 0 || this.#failed(aggregateText(errors))
    } catch (error) {
      if (error instanceof BudgetError) return this.#failed(error.message)
      throw error
    }
  }

  #failed(error: string): ConditionsMet {
    return this.#ignoresErrors ? false : { error }
  }
}
