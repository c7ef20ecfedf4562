/** Search by regular expressions. */
import { findCost } from '../cost/call-cost.js'
import { type Library, overload } from '../declarations.js'
import { ArrayList, CelError, type Value } from '../values/value.js'
import { findAll } from './regular-expression.js'

function find(text: string, pattern: string): Value {
  const found = findAll(text, pattern, 1)
  return found instanceof CelError ? found : (found[0] ?? '')
}

function findList(text: string, pattern: string, limit = -1n): Value {
  const found = findAll(text, pattern, Number(limit))
  return found instanceof CelError ? found : new ArrayList(found)
}

const cost = { cost: findCost }

export const regex: Library = {
  functions: {
    find: [overload('string_find_string', 'string.(string) -> string', find, cost)],
    findAll: [
      overload('string_find_all_string', 'string.(string) -> list(string)', findList, cost),
      overload('string_find_all_string_int', 'string.(string, int) -> list(string)', findList, cost)
    ]
  }
}
