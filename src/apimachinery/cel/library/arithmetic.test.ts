import { any, testExpressions } from '../testing/expressions.js'

testExpressions('arithmetic and comparison', [
  ['1 + 2 * 3 - 4 / 2 % 3', 'int 5', 5],
  ['7 / 2 + -7 % 3', 'int 2', 3],
  ['9223372036854775807 + 1', 'error: integer overflow', any],
  ['-(-9223372036854775808)', 'error: integer overflow', any],
  ['1u - 2u', 'error: unsigned integer overflow', any],
  ['1 / 0', 'error: division by zero', any],
  ['1 % 0', 'error: modulus by zero', any],
  ['1.0 / 0.0 > 0.0', 'bool true', 2],
  ['1 < 1.5 && 2u > 1', 'bool true', 2],
  ['dyn(1) == 1.0', 'bool true', 1],
  [`dyn(1) + dyn('a')`, 'error: no such overload', any],
  ['dyn([1]) == dyn(1)', 'bool false', 1],
  ['[1, 2] == [1, 2]', 'bool true', 1],
  [`{'a': 1} == {'a': 1}`, 'bool true', 1],
  [`b'ab' < b'b'`, 'bool true', 1]
])
