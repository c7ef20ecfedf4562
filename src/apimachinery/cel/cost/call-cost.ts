/** The cost of calls: estimated from the sizes that a schema allows, and measured at run time from actual sizes. */
import type { Expr } from '../ast.js'
import type { Type } from '../types.js'
import type { Value } from '../values/value.js'
import { add, fixed, multiply, type Range, scale, unknownSize } from './estimate-range.js'
import { perCharacter, perRegexCharacter } from './rates.js'
import { actualSize } from './sizes.js'

/** An operand in the estimator. */
export interface Operand {
  readonly type: Type
  /** Undefined for the elements of a list operand. */
  readonly expr: Expr | undefined
  readonly size: Range
  /** Returns the elements of a list. */
  readonly element: () => Operand | undefined
}

export interface Estimate {
  readonly cost: Range
  /** The size of the result, if it is a string, list or map of known size. */
  readonly size?: Range
}

export interface CallCost {
  /** The operands are the receiver, if there is one, and the arguments. */
  readonly estimate: (operands: readonly Operand[]) => Estimate
  readonly actual: (operands: readonly Value[], result: Value) => number
  /** If false, the call is charged before it runs, so that a call beyond the limit is not started. */
  readonly needsResult?: boolean
  /**
   * True if the cost holds for all overloads of the function, so that it applies even if dynamic types leave the overload open.
   */
  readonly byName?: boolean
}

const sizeOf = (operands: readonly Operand[], i: number) => operands[i]?.size ?? unknownSize
const actualSizeOf = (operands: readonly Value[], i: number) => actualSize(operands[i]!)

/** A fixed cost. Kubernetes' own functions are costed by name. */
export function constant(cost: number): CallCost {
  return { estimate: () => ({ cost: fixed(cost) }), actual: () => cost, byName: true }
}

/** The cost of reading an operand `times` times. With `sized`, the result has the size of the operand. */
export function traversal(operand: number, { times = 1, sized = false } = {}): CallCost {
  return {
    estimate: operands => {
      const size = sizeOf(operands, operand)
      const cost = scale(size, times * perCharacter)
      return sized ? { cost, size } : { cost }
    },
    actual: operands => Math.ceil(actualSizeOf(operands, operand) * times * perCharacter),
    byName: true
  }
}

/** The cost of a regular expression (operand 1) on a string (operand 0). */
export const regexCost: CallCost = {
  estimate: operands => ({ cost: estimateRegex(sizeOf(operands, 0), sizeOf(operands, 1)) }),
  actual: operands => actualRegex(actualSizeOf(operands, 0), actualSizeOf(operands, 1))
}

/** Even an empty string costs something. */
function estimateRegex(text: Range, regex: Range): Range {
  return multiply(scale(add(text, fixed(1)), perCharacter), scale(regex, perRegexCharacter))
}

export function actualRegex(text: number, regex: number): number {
  return Math.ceil((1 + text) * perCharacter) * Math.ceil(regex * perRegexCharacter)
}

/** Costs as much as `regexCost`; every character may be a result. */
export const findCost: CallCost = {
  estimate: operands => ({ ...regexCost.estimate(operands), size: { min: 0, max: sizeOf(operands, 0).max } }),
  actual: regexCost.actual,
  byName: true
}
