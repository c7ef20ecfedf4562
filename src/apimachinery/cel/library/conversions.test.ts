import { testExpressions } from '../testing/expressions.js'

testExpressions('conversions', [
  [`int('5') + int(2.9) + int(-2.9)`, 'int 5', 2],
  [`int(dyn('x'))`, `cannot run: type conversion error from 'string' to 'int'`, 0],
  [`int('x')`, `cannot run: type conversion error from 'string' to 'int'`, 0],
  [`uint('7')`, 'uint 7', 0],
  [`double('1.5')`, 'double 1.5', 0],
  ['string(1e6) + string(0.1) + string(-0.0)', 'string "1e+060.1-0"', 2],
  [`string(duration('90m'))`, 'string "5400s"', 0],
  [`string(timestamp('2024-01-01T00:00:00.50+05:30'))`, 'string "2024-01-01T00:00:00.5+05:30"', 0],
  [`string(b'\\303\\251')`, 'string "é"', 0],
  [`bool('True')`, 'bool true', 0],
  ['type(1) == int && type(type(1)) == type', 'bool true', 2],
  ['type(null) == null_type', 'bool true', 1],
  [`type(ip('::1')) == net.IP`, 'bool true', 3]
])
