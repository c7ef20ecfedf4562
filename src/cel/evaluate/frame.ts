/** One evaluation: its variables, and its cost so far. */
import { EvaluationPanic, tick } from '../values/deadline.js'
import type { Value } from '../values/value.js'

/**
 * Comparing large objects is cheap in cost but not in time. In kube-apiserver the request would time out; here this limit
 * applies.
 */
const maxMilliseconds = 2000

/** Returns the value of a variable; undefined for a missing one. */
export type Activation = (name: string) => Value | undefined

export class CostLimitExceeded extends Error {}

export { EvaluationPanic }

export class Frame {
  readonly activation: Activation
  readonly locals: Value[] = []
  readonly #limit: number
  readonly deadline = performance.now() + maxMilliseconds
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
