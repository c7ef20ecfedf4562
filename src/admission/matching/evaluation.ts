/** Runs the expressions of a policy or of match conditions, within a budget that they share. */
import { type ExpressionCost, measuredNodes } from '../../apimachinery/cel/cost/node-costs.js'
import type { Environment } from '../../apimachinery/cel/environment.js'
import type { Activation } from '../../apimachinery/cel/evaluate/frame.js'
import type { NoteCost } from '../../apimachinery/cel/evaluate/plan.js'
import { compile, type Outcome, type Program } from '../../apimachinery/cel/program.js'
import { objectType } from '../../apimachinery/cel/types.js'
import { CelError, ObjectValue, type Value } from '../../apimachinery/cel/values/value.js'
import { takingTurns } from '../../util/turns.js'
import { activationOf, type RequestValues } from './activation.js'
import { whenAnswered } from './authorizers.js'

export interface CompiledExpression {
  readonly source: string
  readonly program: Program | undefined
  /** The error of the compilation; "" when there is a program. */
  readonly problem: string
}

export function compileExpression(source: string, environment: Environment): CompiledExpression {
  const { program, issues } = compile(source, environment)
  if (!program) return { source, program: undefined, problem: `compilation failed: ${issues}` }
  const problem = program.prepare()
  if (problem === undefined) return { source, program, problem: '' }
  return { source, program: undefined, problem: `program instantiation failed: ${problem}` }
}

/** The value of an expression, or the error that it ended with. */
export type Evaluated =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string }

export interface EvaluatedAll {
  /** In the order of the expressions; undefined where the list has no expression. */
  readonly results: readonly (Evaluated | undefined)[]
  readonly remaining: number
}

/** The expressions have cost more than the budget that they share. */
export class BudgetError extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run')
  }
}

export type NamedExpressions = ReadonlyMap<string, CompiledExpression>

/**
 * Evaluates the expressions in turn; variables are computed at their first use, once for all of them. Others have their turns between two
 * expressions, each of which is bounded. `costs` takes what each of them has cost, and its nodes. Throws a BudgetError.
 */
export async function evaluateAll(
  expressions: readonly (CompiledExpression | undefined)[],
  values: RequestValues,
  variables: NamedExpressions | undefined,
  budget: number,
  costs?: ExpressionCost[]
): Promise<EvaluatedAll> {
  let remaining = budget
  const spend = (cost: number) => {
    remaining -= cost
  }
  const activation = activationOf(values, variables && (all => new Variables(variables, all, spend)))
  const evaluateOne = (expression: CompiledExpression | undefined): Evaluated | undefined => {
    if (!expression) return undefined
    const { source, program, problem } = expression
    if (!program) return { error: `compilation error: ${problem}` }
    const { value, cost } = costs ? measured(source, program, activation, costs) : program.evaluate(activation)
    spend(cost)
    if (remaining < 0) throw new BudgetError()
    return value instanceof CelError ? { error: `expression '${source}' resulted in error: ${value.message}` } : { value }
  }
  const results: (Evaluated | undefined)[] = []
  const turn = takingTurns()
  for (const expression of expressions) {
    const answer = whenAnswered(() => evaluateOne(expression))
    results.push(answer instanceof Promise ? await answer : answer)
    const pending = turn()
    if (pending) await pending
  }
  return { results, remaining }
}

/** The most nodes that are told of each expression, and the most expressions. */
const [maxNodes, maxMeasured] = [10, 200]

function measured(source: string, program: Program, activation: Activation, costs: ExpressionCost[]): Outcome {
  if (costs.length >= maxMeasured) return program.evaluate(activation)
  const evaluate = (note: NoteCost) => program.evaluate(activation, undefined, undefined, note)
  const { outcome, nodes } = measuredNodes(program, evaluate, maxNodes)
  costs.push({ expression: source, cost: outcome.cost, nodes })
  return outcome
}

const variablesType = objectType('kubernetes.variables')

/** The value of `variables`. */
class Variables extends ObjectValue {
  readonly type = variablesType
  readonly #expressions: NamedExpressions
  readonly #activation: Activation
  readonly #values = new Map<string, Value>()
  readonly #spend: (cost: number) => void

  constructor(expressions: NamedExpressions, activation: Activation, spend: (cost: number) => void) {
    super()
    this.#spend = spend
    this.#expressions = expressions
    this.#activation = activation
  }

  override field(name: string): Value | undefined {
    let value = this.#values.get(name)
    const expression = this.#expressions.get(name)
    if (value === undefined && expression) this.#values.set(name, (value = this.#compute(name, expression)))
    return value
  }

  #compute(name: string, { program, problem }: CompiledExpression): Value {
    if (!program) return new CelError(`composited variable "${name}" fails to compile: ${problem}`)
    const { value, cost } = program.evaluate(this.#activation)
    this.#spend(cost)
    return value instanceof CelError ? new CelError(`composited variable "${name}" fails to evaluate: ${value.message}`) : value
  }

  equals(other: ObjectValue): boolean {
    return this === other
  }
}
