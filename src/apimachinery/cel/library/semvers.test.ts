import { any, testExpressions } from '../testing/expressions.js'

testExpressions('semvers', [
  [`semver('1.2.3').isLessThan(semver('1.10.0'))`, 'bool true', 3],
  [`semver('v1.02', true).minor()`, 'int 2', 2],
  [`semver('1.2.x')`, 'error: Invalid character(s) found in patch number "x"', any],
  [`semver('1.0.0').compareTo(semver('1.0.0-rc.1'))`, 'int 1', 3]
])
