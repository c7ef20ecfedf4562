import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goQuote } from '../util/go-format.js'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { compile } from './program.js'
import { formatDouble } from './values/numbers.js'
import { formatDuration, formatTimestamp } from './values/text.js'
import { CelError, Duration, ListValue, Optional, Timestamp, typeOf, type Value } from './values/value.js'

/** What it costs says nothing where evaluation fails. */
const any = undefined

/** Expression, result and cost, as kube-apiserver's library computes them. */
const table: Record<string, readonly (readonly [expression: string, result: string, cost: number | undefined])[]> = {
  'arithmetic and comparison': [
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
  ],
  'errors that other operands decide': [
    ['true || 1 / 0 > 0', 'bool true', 0],
    ['1 / 0 > 0 && false', 'bool false', 2],
    ['[1, 2, 0].all(x, 1 / x > 5)', 'bool false', 9],
    ['[0, 1].exists(x, 1 / x == 1)', 'bool true', 15],
    ['[1, 2, 0].map(x, 1 / x)', 'error: division by zero', any],
    [`dyn('a') && true`, 'error: no such overload', any],
    ['true ? 1 : 1 / 0', 'int 1', 0]
  ],
  conversions: [
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
  ],
  times: [
    [`timestamp('2024-02-29T12:00:00Z').getDayOfYear()`, 'int 59', 1],
    [`timestamp('2024-03-10T07:30:00Z').getHours('America/New_York')`, 'int 3', 1],
    [`timestamp('2024-01-01T00:00:00Z').getMinutes('-05:30')`, 'int 30', 1],
    [`timestamp('2024-01-01T00:00:00Z').getHours('Nowhere/Land')`, 'error: unknown time zone Nowhere/Land', any],
    [`timestamp('9999-12-31T23:59:59Z') + duration('1s')`, 'error: timestamp overflow', any],
    [`duration('1h30m').getMinutes()`, 'int 90', 1],
    [`timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')`, 'bool true', 2],
    [`duration('-1500ms').getSeconds()`, 'int -1', 1]
  ],
  'lists and maps': [
    ['[1, 2, 3][1]', 'int 2', 2],
    ['[1][5]', 'error: index out of bounds: 5', any],
    [`dyn([1])['a']`, `error: unsupported index type 'string' in list`, any],
    [`{'a': 1}['a']`, 'int 1', 2],
    [`{'a': 1}['b']`, 'error: no such key: b', any],
    ['{1: 2}[dyn(1.0)]', 'int 2', 2],
    [`'a' in {'a': 1}`, 'bool true', 1],
    ['2 in [1, 2]', 'bool true', 0],
    ['[1, 2].exists_one(x, x > 1)', 'bool true', 8],
    [`['a', 'b'].all(i, v, i < 2 && v != '')`, 'bool true', 13],
    [`['x', 'y'].transformList(i, v, v + string(i))`, '[string "x0", string "y1"]', 33],
    [`{'a': 1}.transformMap(k, v, v + 1)['a']`, 'int 2', 8],
    [`['a'].transformMapEntry(i, v, {v: i})['a']`, 'int 0', 37],
    [`['a', 'b'].transformMapEntry(i, v, {'k': i})`, 'error: insert failed: key k already exists', any],
    ['[1, 2, 3].filter(x, x > 1).map(x, x * 2)', '[int 4, int 6]', 62],
    ['[1, 2, 3].sum() + [3, 1].min() * [3, 1].max()', 'int 9', 9],
    ['[].min()', 'error: min called on empty list', any],
    ['[3, 1, 2].isSorted()', 'bool false', 3],
    [`['a', 'b', 'a'].lastIndexOf('a')`, 'int 2', 0],
    ['[3, 1, 2].sort()', '[int 1, int 2, int 3]', 29],
    [`[{'n': 2}, {'n': 1}].sortBy(x, x.n).map(x, x.n)`, '[int 1, int 2]', 79],
    ['[[1], [2, 3]].flatten()', '[int 1, int 2, int 3]', 13],
    ['[1, 2, 3].slice(1, 9)', 'error: cannot slice(1, 9), list is length 3', any],
    ['[1, 1, 2].distinct()', '[int 1, int 2]', 29],
    ['lists.range(3).reverse()', '[int 2, int 1, int 0]', 28],
    ['[1].first().value() + [2].last().value()', 'int 3', 5],
    ['sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1])', 'bool true', 8],
    ['dyn(1).size()', 'error: no such overload: size', any],
    ['dyn(1).all(x, true)', `error: got 'types.Int', expected iterable type`, any]
  ],
  strings: [
    [`'héllo😀'.size()`, 'int 6', 1],
    [`'héllo😀'.charAt(5)`, 'string "😀"', 1],
    [`'abc'.charAt(4)`, 'error: index out of range: 4', any],
    [`'abcabc'.indexOf('c', 3)`, 'int 5', 0],
    [`'héx'.lastIndexOf('x')`, 'int 2', 0],
    [`'abc'.replace('', '-')`, 'string "-a-b-c-"', 1],
    [`'aaa'.replace('a', 'b', 2)`, 'string "bba"', 1],
    [`'a,b,c'.split(',', 2)`, '[string "a", string "b,c"]', 1],
    [`''.split('')`, '[]', 0],
    [`'abc'.substring(1, 2)`, 'string "b"', 1],
    [`'abc'.substring(2, 1)`, 'error: invalid substring range. start: 2, end: 1', any],
    [`'Ab'.lowerAscii() + 'Ab'.upperAscii()`, 'string "abAB"', 3],
    [`' x '.trim()`, 'string "x"', 1],
    [`['a', 'b'].join('-')`, 'string "a-b"', 1],
    [`strings.quote('a"\\n')`, 'string "\\"a\\\\\\"\\\\n\\""', 1],
    [`'a1b22'.find('[0-9]+')`, 'string "1"', 2],
    [`'a1b22'.findAll('[0-9]')`, '[string "1", string "2", string "2"]', 2],
    [`'abc'.matches('^a.c$')`, 'bool true', 2],
    [`'a'.matches('a' + '[')`, 'error: error parsing regexp: missing closing ]: `[`', any],
    [`'%s %d %.2f %x %b %o'.format(['a', 3, 1.005, 255, 5, 8])`, 'string "a 3 1.00 ff 101 10"', 2],
    [`'%s'.format([[1, 2.5, 'a', null, {'b': 1, 'a': 2}]])`, 'string "[1, 2.500000, \\"a\\", null, {\\"a\\":2, \\"b\\":1}]"', 1],
    [`'%.0f %.1f'.format([2.5, 0.25])`, 'string "2 0.2"', 1],
    [`'%e'.format([12345.678])`, 'string "1.234568×10⁰⁴"', 1],
    [
      `'%d'.format([dyn('a')])`,
      'error: error during formatting: decimal clause can only be used on integers, was given string',
      any
    ]
  ],
  'optional values': [
    [`{'a': 1}[?'b'].orValue(0)`, 'int 0', 1],
    ['optional.of(1).optMap(x, x + 1).value()', 'int 2', 8],
    ['optional.none().value()', 'error: optional.none() dereference', any],
    [`{'a': {'b': 1}}.?a.?b.hasValue()`, 'bool true', 4],
    [`{?'a': optional.none(), 'b': 1}.size()`, 'int 1', 32],
    ['[?optional.of(1), ?optional.none()]', '[int 1]', 12],
    [`optional.ofNonZeroValue('').hasValue()`, 'bool false', 2],
    ['optional.of([1]).optFlatMap(l, l[?3]).hasValue()', 'bool false', 6]
  ],
  'types of Kubernetes': [
    [`url('https://u:p@example.com:8443/a b?x=1&x=2').getHost()`, 'string "example.com:8443"', 5],
    [`url('https://[::1]/a b').getEscapedPath()`, 'string "/a%20b"', 3],
    [`url('https://h/?k=%20+v').getQuery()['k']`, '[string "  v"]', 5],
    [`url('x')`, 'error: URL parse error during conversion from string: parse "x": invalid URI for request', any],
    [
      `url('http://a:b/')`,
      'error: URL parse error during conversion from string: parse "http://a:b/": invalid port ":b" after host',
      any
    ],
    [`isURL('/x') && !isURL('x')`, 'bool true', 3],
    [`ip('2001:DB8:0::1') == ip('2001:db8::1')`, 'bool true', 5],
    [`string(ip('2001:DB8:0:0:1::1'))`, 'string "2001:db8::1:0:0:1"', 3],
    [
      `ip('1.2.3')`,
      'error: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
      any
    ],
    [`ip('::ffff:1.2.3.4')`, 'error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed', any],
    [`ip.isCanonical('2001:DB8::1')`, 'bool false', 3],
    [`cidr('10.0.0.0/8').containsIP('10.1.1.1')`, 'bool true', 3],
    [`cidr('10.0.0.0/8').containsIP('x')`, 'error: no such overload', any],
    [`cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')`, 'bool false', 5],
    [`string(cidr('192.168.1.5/24').masked())`, 'string "192.168.1.0/24"', 4],
    [
      `cidr('10.0.0.0/33')`,
      'error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range',
      any
    ],
    [`quantity('1Gi').compareTo(quantity('1024Mi'))`, 'int 0', 3],
    [`quantity('1500m').asInteger()`, 'error: cannot convert value to integer', any],
    [`quantity('1').add(5).isLessThan(quantity('10'))`, 'bool true', 4],
    [`sign(quantity('-1'))`, 'int -1', 2],
    [`quantity('x')`, `error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`, any],
    [`quantity('2000m').isInteger()`, 'bool false', 2],
    [`semver('1.2.3').isLessThan(semver('1.10.0'))`, 'bool true', 3],
    [`semver('v1.02', true).minor()`, 'int 2', 2],
    [`semver('1.2.x')`, 'error: Invalid character(s) found in patch number "x"', any],
    [`semver('1.0.0').compareTo(semver('1.0.0-rc.1'))`, 'int 1', 3],
    [
      `format.dns1123Label().validate('A_b').value()`,
      `[string "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"]`,
      10
    ],
    [`format.named('uuid').value().validate('x').value()`, '[string "does not match the UUID format"]', 21],
    [`format.named('nope').hasValue()`, 'bool false', 2]
  ]
}

for (const [group, rows] of Object.entries(table)) {
  test(group, () => {
    for (const [expression, result, cost] of rows) {
      const { program, issues } = compile(expression, kubernetesEnvironment)
      assert.ok(program, issues)
      const problem = program.prepare()
      const outcome = program.evaluate(() => undefined)
      assert.equal(problem === undefined ? show(outcome.value) : `cannot run: ${problem}`, result, expression)
      if (cost !== undefined) assert.equal(outcome.cost, cost, `cost of ${expression}`)
    }
  })
}

function show(value: Value): string {
  switch (typeof value) {
    case 'string':
      return `string ${goQuote(value)}`
    case 'bigint':
      return `int ${value}`
    case 'number':
      return `double ${formatDouble(value)}`
    case 'boolean':
      return `bool ${value}`
  }
  if (value instanceof CelError) return `error: ${value.message}`
  if (value instanceof ListValue) return `[${[...value].map(show).join(', ')}]`
  if (value instanceof Optional) return value.value === undefined ? 'optional.none' : `optional(${show(value.value)})`
  if (value instanceof Duration) return formatDuration(value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  return 'value' in (value ?? {}) ? `${typeOf(value).name} ${(value as { value: bigint }).value}` : typeOf(value).name
}
