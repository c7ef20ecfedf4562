/** One evaluation: its variables, and its cost so far. */
import { EvaluationPanic, tick } from '../values/deadline.js'
import type { Value } from '../values/value.js'

/**
 * Comparing large objects is cheap in cost but not in time. In kube-apiserver the request would time out; here this limit
 * applies.
 */
const maxMilliseconds = 2000
/** For all expressions of one policy, which may spend their budget of cost before that. */
const maxMillisecondsOfAll = 10_000

const endOfEvaluation = (): number => performance.now() + maxMilliseconds
export const endOfEvaluations = (): number => performance.now() + maxMillisecondsOfAll

/** Returns the value of a variable; undefined for a missing one. */
export type Activation = (name: string) => Value | undefined

export class CostLimitExceeded extends Error {}

export { EvaluationPanic }

export class Frame {
  readonly activation: Activation
  readonly locals: Value[] = []
  readonly #limit: number
  readonly deadline = endOfEvaluation()
  cost = 0

  constructor(activation: Activation, limit: number) {
    this.activation = activation
    this.#limit = limit
  }

  charge(cost: number): void {
    this.cost += cost
    if (this.cost > this.#limit) throw new CostLimitExceeded('operation cancelled: actual cost limit exceeded')
    tick()
  }
}

export type Evaluate = (frame: Frame) => Value
