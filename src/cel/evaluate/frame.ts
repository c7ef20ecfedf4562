/** One evaluation: the variables and what it has cost so far. */
import { EvaluationPanic, tick } from '../values/deadline.js'
import type { Value } from '../values/value.js'

/** Comparing large objects is cheap in cost but not in time: where kube-apiserver's request would time out, this ends it. */
const maxMilliseconds = 2000

/** What an expression's variables stand for; undefined for what is not there. */
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
