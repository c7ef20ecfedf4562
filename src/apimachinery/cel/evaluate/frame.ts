/** One evaluation: its variables, and its cost so far. */
import { CostLimitExceeded, tick } from '../values/steps.js'
import type { Value } from '../values/value.js'

/** Returns the value of a variable; undefined for a missing one. */
export type Activation = (name: string) => Value | undefined

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
    if (this.cost > this.#limit) throw new CostLimitExceeded()
    tick()
  }
}

export type Evaluate = (frame: Frame) => Value
