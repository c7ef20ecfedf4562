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

// as cel-go compares them: the integer becomes a double
testExpressions('an integer and a double', [
  ['dyn(9007199254740993) == dyn(9007199254740992.0)', 'bool true', any],
  ['dyn(9007199254740993) < dyn(9007199254740992.0)', 'bool false', any],
  ['dyn(9223372036854775807) == dyn(9223372036854775808.0)', 'bool true', any],
  ['dyn(18446744073709551615u) == dyn(18446744073709551616.0)', 'bool true', any],
  ['dyn(9007199254740993) == dyn(9007199254740992)', 'bool false', any],
  ['dyn(9007199254740993u) == dyn(9007199254740993)', 'bool true', any]
])
