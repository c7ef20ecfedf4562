/** Set operations on lists. */
import type { CallCost } from '../cost/call-cost.js'
import { add, fixed, multiply, scale, unknownSize } from '../cost/estimate-range.js'
import { actualSize } from '../cost/sizes.js'
import { type Library, overload } from '../declarations.js'
import { contains } from '../values/compare.js'
import type { ListValue, Value } from '../values/value.js'

function containsAll(list: ListValue, part: ListValue): Value {
  for (const item of part) {
    const found = contains(list, item)
    if (found !== true) return found
  }
  return true
}

function equivalent(a: ListValue, b: ListValue): Value {
  const forth = containsAll(a, b)
  return forth === true ? containsAll(b, a) : forth
}

function intersects(a: ListValue, b: ListValue): Value {
  for (const item of a) if (contains(b, item) === true) return true
  return false
}

/** The cost of comparing each element with each. */
const pairwise = (times: number): { cost: CallCost } => ({
  cost: {
    estimate: ([a, b]) => ({ cost: add(scale(multiply(a?.size ?? unknownSize, b?.size ?? unknownSize), times), fixed(1)) }),
    actual: ([a, b]) => actualSize(a!) * actualSize(b!) * times + 1
  }
})

export const sets: Library = {
  functions: {
    'sets.contains': [overload('list_sets_contains_list', 'list(T), list(T) -> bool', containsAll, pairwise(1))],
    'sets.equivalent': [overload('list_sets_equivalent_list', 'list(T), list(T) -> bool', equivalent, pairwise(2))],
    'sets.intersects': [overload('list_sets_intersects_list', 'list(T), list(T) -> bool', intersects, pairwise(1))]
  }
}
