/** What calls cost: estimated from the sizes that a schema allows, and at run time from the sizes that are there. */
import type { Expr } from '../ast.js'
import type { Type } from '../types.js'
import type { Value } from '../values/value.js'
import { add, fixed, multiply, type Range, scale, unknownSize } from './estimate-range.js'
import { actualSize } from './sizes.js'

/** An operand as the estimator sees it. */
export interface Operand {
  readonly type: Type
  /** undefined for the elements of a list operand. */
  readonly expr: Expr | undefined
  readonly size: Range
  /** For lists: their elements. */
  readonly element: () => Operand | undefined
}

export interface Estimate {
  readonly cost: Range
  /** Of the result, if it is a string, list or map whose size is known. */
  readonly size?: Range
}

export interface CallCost {
  /** Operands are the receiver, if there is one, and the arguments. */
  readonly estimate: (operands: readonly Operand[]) => Estimate
  readonly actual: (operands: readonly Value[], result: Value) => number
  /** Otherwise the call is charged before it runs, so that what is too costly is not even begun. */
  readonly needsResult?: boolean
  /** Holds for all overloads of the function: also where the types are dynamic and it is open which overload it will be. */
  readonly byName?: boolean
}

/** Of reading a character of a string. */
export const perCharacter = 0.1
/** Of a character of a regular expression, per character of the string. */
export const perRegexCharacter = 0.25
export const listCost = 10
export const mapCost = 30
export const messageCost = 40

const sizeOf = (operands: readonly Operand[], i: number) => operands[i]?.size ?? unknownSize
const actualSizeOf = (operands: readonly Value[], i: number) => actualSize(operands[i]!)

/** Kubernetes' own functions are costed by name. */
export function constant(cost: number): CallCost {
  return { estimate: () => ({ cost: fixed(cost) }), actual: () => cost, byName: true }
}

/** Reads an operand `times`; with `sized`, the result is as large as it. */
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

/** A regular expression (operand 1) on a string (operand 0). */
export const regexCost: CallCost = {
  estimate: operands => ({ cost: estimateRegex(sizeOf(operands, 0), sizeOf(operands, 1)) }),
  actual: operands => actualRegex(actualSizeOf(operands, 0), actualSizeOf(operands, 1))
}

/** An empty string costs something too. */
function estimateRegex(text: Range, regex: Range): Range {
  return multiply(scale(add(text, fixed(1)), perCharacter), scale(regex, perRegexCharacter))
}

export function actualRegex(text: number, regex: number): number {
  return Math.ceil((1 + text) * perCharacter) * Math.ceil(regex * perRegexCharacter)
}

/** As for matches; every character may be a result. */
export const findCost: CallCost = {
  estimate: operands => ({ ...regexCost.estimate(operands), size: { min: 0, max: sizeOf(operands, 0).max } }),
  actual: regexCost.actual,
  byName: true
}
