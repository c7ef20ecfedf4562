import { any, testExpressions } from '../testing/expressions.js'

testExpressions('quantities', [
  [`quantity('1Gi').compareTo(quantity('1024Mi'))`, 'int 0', 3],
  [`quantity('1500m').asInteger()`, 'error: cannot convert value to integer', any],
  [`quantity('1').add(5).isLessThan(quantity('10'))`, 'bool true', 4],
  [`sign(quantity('-1'))`, 'int -1', 2],
  [`quantity('x')`, `error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`, any],
  [`quantity('2000m').isInteger()`, 'bool false', 2]
])
