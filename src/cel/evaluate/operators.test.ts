import { any, testExpressions } from '../testing/expressions.js'

testExpressions('errors that other operands decide', [
  ['true || 1 / 0 > 0', 'bool true', 0],
  ['1 / 0 > 0 && false', 'bool false', 2],
  ['[1, 2, 0].all(x, 1 / x > 5)', 'bool false', 9],
  ['[0, 1].exists(x, 1 / x == 1)', 'bool true', 15],
  ['[1, 2, 0].map(x, 1 / x)', 'error: division by zero', any],
  [`dyn('a') && true`, 'error: no such overload', any],
  ['true ? 1 : 1 / 0', 'int 1', 0]
])
