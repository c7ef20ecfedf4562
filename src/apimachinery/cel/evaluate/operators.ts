/**
 * The operators that need more than the values of their operands: they skip operands, absorb errors, or accept operands of every
 * type.
 */
import { perCharacter } from '../cost/rates.js'
import { actualSize } from '../cost/sizes.js'
import { equal } from '../values/compare.js'
import { type CelError, isError, noSuchOverload, ObjectValue, Optional } from '../values/value.js'
import type { Evaluate, Frame } from './frame.js'

/** `&&` (decided by false) and `||` (decided by true). The deciding value takes precedence over an error on the other side. */
export function logical([left, right]: readonly Evaluate[], decides: boolean): Evaluate {
  return frame => {
    const a = left!(frame)
    if (a === decides) return decides
    const b = right!(frame)
    if (b === decides) return decides
    if (isError(a)) return a
    if (isError(b)) return b
    return typeof a === 'boolean' && typeof b === 'boolean' ? !decides : noSuchOverload
  }
}

export function conditionalResolve(condition: Evaluate, yes: Evaluate, no: Evaluate): Evaluate {
  return frame => {
    const value = condition(frame)
    if (value === true) return yes(frame)
    if (value === false) return no(frame)
    return isError(value) ? value : noSuchOverload
  }
}

export function equals(operands: readonly Evaluate[]): Evaluate {
  return frame => compared(frame, operands, true)
}

export function notEquals(operands: readonly Evaluate[]): Evaluate {
  return frame => {
    const same = compared(frame, operands, false)
    return isError(same) ? same : !same
  }
}

function compared(frame: Frame, [left, right]: readonly Evaluate[], isEquality: boolean): boolean | CelError {
  const a = left!(frame)
  const b = right!(frame)
  const result = isError(a) ? a : isError(b) ? b : equal(a, b)
  // values of Kubernetes' own types compare at the cost of one step
  frame.charge(isEquality && a instanceof ObjectValue ? 1 : Math.ceil(Math.min(actualSize(a), actualSize(b)) * perCharacter))
  return result
}

/** The condition of `all` and `exists`: errors do not end the loop. */
export function notStrictlyFalse(operand: Evaluate): Evaluate {
  return frame => {
    const value = operand(frame)
    frame.charge(1)
    return typeof value === 'boolean' ? value : true
  }
}

/** optional.or(optional) and optional.orValue(value): the second operand is evaluated only if the first has no value. */
export function optionalOr([left, right]: readonly Evaluate[], name: 'or' | 'orValue'): Evaluate {
  return frame => {
    const a = left!(frame)
    if (isError(a)) return a
    if (!(a instanceof Optional)) return noSuchOverload
    if (a.value === undefined) return right!(frame)
    return name === 'or' ? a : a.value
  }
}
