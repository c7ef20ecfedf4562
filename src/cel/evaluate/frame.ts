/** One evaluation: the variables and what it has cost so far. */
import type { Value } from '../values/value.js'

/** What an expression's variables stand for; undefined for what is not there. */
export type Activation = (name: string) => Value | undefined

export class CostLimitExceeded extends Error {}

export class Frame {
  readonly activation: Activation
  readonly locals: Value[] = []
  readonly #limit: number
  cost = 0

  constructor(activation: Activation, limit: number) {
    this.activation = activation
    this.#limit = limit
  }

  charge(cost: number): void {
    this.cost += cost
    if (this.cost > this.#limit) throw new CostLimitExceeded('operation cancelled: actual cost limit exceeded')
  }
}

export type Evaluate = (frame: Frame) => Value
