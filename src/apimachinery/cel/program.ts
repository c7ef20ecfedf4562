/**
 * Expressions of the Common Expression Language as Kubernetes has them:
 *
 *     const environment = kubernetesEnvironment.extend(new Map([['n', intType]]))
 *     const compiled = compile('n > 1', environment)
 *     if (compiled.program) compiled.program.evaluate(name => (name === 'n' ? 2n : undefined))   // { value: true, cost: 2 }
 *     else console.log(compiled.issues)
 */
import { type Expr, walk } from './ast.js'
import { check } from './checker.js'
import { compileInTurn } from './compile-turns.js'
import { type EstimateSize, estimateCost, type Observe } from './cost/estimate.js'
import type { Range } from './cost/estimate-range.js'
import type { Environment } from './environment.js'
import { type Activation, type Evaluate, Frame } from './evaluate/frame.js'
import { type NoteCost, ProgramError, plan } from './evaluate/plan.js'
import { Issues } from './issues.js'
import { parse } from './parser/parse.js'
import type { Type } from './types.js'
import { validateChecked } from './validators.js'
import { CostLimitExceeded, EvaluationPanic, type FreeSteps, withinCost } from './values/steps.js'
import { CelError, type Value } from './values/value.js'

/** Cost limit of one evaluation of one expression. */
const perCallLimit = 1_000_000

export interface Outcome {
  /** The result; a CelError if evaluation fails. */
  readonly value: Value
  /** The cost in cel-go's model, or more when the evaluation did much that cel-go does not charge (values/steps.ts). */
  readonly cost: number
  /** True if the cost limit ended the evaluation. */
  readonly exceeded: boolean
}

export type Compiled =
  | { readonly program: Program; readonly issues?: undefined }
  /** Messages with the source lines that they refer to, as users see them. */
  | { readonly program?: undefined; readonly issues: string }

export const compile = (source: string, environment: Environment): Compiled =>
  compileInTurn(source, () => compileNow(source, environment))

function compileNow(source: string, environment: Environment): Compiled {
  const issues = new Issues(source)
  const expr = parse(source, issues, environment.bindings)
  if (expr) check(expr, environment, issues)
  if (expr && !issues.any) validateChecked(expr, issues)
  return expr && !issues.any ? { program: new Program(expr, environment) } : { issues: issues.toString() }
}

export class Program {
  readonly #expr: Expr
  readonly #environment: Environment
  #evaluate: Evaluate | undefined

  constructor(expr: Expr, environment: Environment) {
    this.#expr = expr
    this.#environment = environment
  }

  /** The type of the result. */
  get type(): Type {
    return this.#expr.type!
  }

  /** The checked expression, for code that can answer the same question in another way. */
  get expr(): Expr {
    return this.#expr
  }

  usesVariable(name: string): boolean {
    for (const expr of walk(this.#expr)) if (expr.kind === 'ident' && expr.name === name) return true
    return false
  }

  /** Whether the expression has `variable.field` or `variable.?field`. */
  selects(variable: string, field: string): boolean {
    const isVariable = (expr: Expr | undefined) => expr?.kind === 'ident' && expr.name === variable
    for (const expr of walk(this.#expr)) {
      if (expr.kind === 'select' && expr.field === field && isVariable(expr.operand)) return true
      if (expr.kind !== 'call' || expr.function !== '_?._' || !isVariable(expr.args[0])) continue
      const [, selected] = expr.args
      if (selected?.kind === 'literal' && selected.value === field) return true
    }
    return false
  }

  /** Prepares the program for running. Returns the error if a constant part of it fails: int('x'). */
  prepare(): string | undefined {
    try {
      this.#evaluate ??= plan(this.#expr, this.#environment)
      return undefined
    } catch (error) {
      if (error instanceof ProgramError) return error.message
      throw error
    }
  }

  estimateCost(estimateSize?: EstimateSize, observe?: Observe): Range {
    return estimateCost(this.#expr, this.#environment, estimateSize, observe)
  }

  /** `free` is shared by all evaluations for one object. With `note`, the program is planned anew, and tells what its nodes cost. */
  evaluate(activation: Activation, limit = perCallLimit, free?: FreeSteps, note?: NoteCost): Outcome {
    const problem = this.prepare()
    const evaluate = note && problem === undefined ? plan(this.#expr, this.#environment, note) : this.#evaluate!
    if (problem !== undefined) return { value: new CelError(problem), cost: 0, exceeded: false }
    const frame = new Frame(activation, limit)
    const evaluated = (costWith: (charged: number) => number): Outcome => {
      const outcome = (value: Value, exceeded = false) => ({ value, cost: costWith(frame.cost), exceeded })
      try {
        return outcome(evaluate(frame))
      } catch (error) {
        if (error instanceof EvaluationPanic) return outcome(new CelError(`internal error: ${error.message}`))
        if (error instanceof CostLimitExceeded) return outcome(new CelError(error.message), true)
        throw error
      }
    }
    return withinCost(limit, evaluated, free)
  }
}
