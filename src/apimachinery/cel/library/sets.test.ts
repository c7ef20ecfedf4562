import { any, testExpressions } from '../testing/expressions.js'

testExpressions('sets', [
  ['sets.contains([1, 2, 2], [2, 1])', 'bool true', any],
  ['sets.contains([1], [1, 2])', 'bool false', any],
  ['sets.contains([], [])', 'bool true', any],
  ['sets.intersects([1, 2], [2, 3])', 'bool true', any],
  ['sets.intersects([dyn(1)], [dyn(2.5), dyn(2)])', 'bool false', any],
  ['sets.intersects([], [])', 'bool false', any],
  ['sets.equivalent([dyn(1), dyn(1), dyn(2u)], [dyn(2), dyn(1)])', 'bool true', any],
  ['sets.equivalent([1, 2], [1])', 'bool false', any]
])
