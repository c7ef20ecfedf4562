import { any, testExpressions } from '../testing/expressions.js'

testExpressions('optional values', [
  [`{'a': 1}[?'b'].orValue(0)`, 'int 0', 1],
  ['optional.of(1).optMap(x, x + 1).value()', 'int 2', 8],
  ['dyn(1).orValue(2)', 'error: no such overload', any],
  ['optional.none().value()', 'error: optional.none() dereference', any],
  [`{'a': {'b': 1}}.?a.?b.hasValue()`, 'bool true', 4],
  [`{?'a': optional.none(), 'b': 1}.size()`, 'int 1', 32],
  ['[?optional.of(1), ?optional.none()]', '[int 1]', 12],
  [`optional.ofNonZeroValue('').hasValue()`, 'bool false', 2],
  ['optional.of([1]).optFlatMap(l, l[?3]).hasValue()', 'bool false', 6]
])
