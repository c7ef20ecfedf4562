import { any, testExpressions } from '../testing/expressions.js'

testExpressions('regular expressions', [
  [`'abc'.find('b.')`, 'string "bc"', any],
  [`'abc'.find('x')`, 'string ""', any],
  [`'a1b2c3'.findAll('[0-9]', 2)`, '[string "1", string "2"]', any],
  [`'a1'.findAll('[0-9]', 0)`, '[]', any],
  [`'ab'.matches('^b')`, 'bool false', any],
  [`'ab'.matches('b')`, 'bool true', any]
])
