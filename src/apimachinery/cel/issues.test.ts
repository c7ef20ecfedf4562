import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kubernetesEnvironment } from './kubernetes-environment.js'
import { compile } from './program.js'
import { boolType, dynType, intType, listType, objectType, stringType } from './types.js'

const self = objectType(
  'Self',
  new Map([['n', intType] as const, ['a', stringType] as const, ['l', listType(stringType)] as const])
)
const environment = kubernetesEnvironment.extend(
  new Map([
    ['self', self],
    ['any', dynType],
    ['yes', boolType]
  ])
)

/** The messages with their positions, without the source lines. */
function messages(expression: string): string[] {
  const { issues } = compile(expression, environment)
  assert.ok(issues !== undefined, `${expression} compiles`)
  return issues.split('\n').flatMap(line => (line.startsWith('ERROR: <input>:') ? [line.slice('ERROR: <input>:'.length)] : []))
}

const operand = "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"

const table: Record<string, readonly (readonly [expression: string, ...messages: string[]])[]> = {
  syntax: [
    ['self.n >', `1:9: Syntax error: mismatched input '<EOF>' expecting ${operand}`],
    [
      "self.a == 'x",
      "1:11: Syntax error: token recognition error at: ''x'",
      `1:13: Syntax error: mismatched input '<EOF>' expecting ${operand}`
    ],
    ["('a' == 'a'", "1:12: Syntax error: missing ')' at '<EOF>'"],
    [
      'any.in == 1',
      "1:5: Syntax error: no viable alternative at input '.in'",
      `1:8: Syntax error: extraneous input '==' expecting ${operand}`
    ],
    ['self.true', "1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER"],
    ['any.a ==\n  any..b', "2:7: Syntax error: no viable alternative at input '..'"],
    ['yes yes', "1:5: Syntax error: extraneous input 'yes' expecting <EOF>"],
    ['self.`n`', "1:6: unsupported syntax: '`'"],
    ['for', '1:1: reserved identifier: for'],
    ['9223372036854775808', '1:1: invalid int literal'],
    ["'\\ud800'", '1:1: invalid unicode code point'],
    ['('.repeat(251) + 1, '-1:0: expression recursion limit exceeded: 250'],
    [`any${'.a'.repeat(251)}`, '-1:0: max recursion depth exceeded'],
    ['a'.repeat(100_001), '-1:0: expression code point size exceeds limit: size: 100001, limit 100000']
  ],
  macros: [
    ['has(self)', '1:5: invalid argument to has() macro'],
    ['self.l.all(1, true)', '1:12: argument must be a simple name'],
    ['self.l.map(1, 2)', '1:12: argument is not an identifier'],
    ['self.l.all(x, x, true)', '1:15: duplicate variable name: x'],
    ['self.l.all(__result__, true)', '1:12: iteration variable overwrites accumulator variable'],
    ['[1].map(x)', "1:8: undeclared reference to 'map' (in container '')", "1:9: undeclared reference to 'x' (in container '')"]
  ],
  names: [
    ['slf.n', "1:1: undeclared reference to 'slf' (in container '')"],
    ['self.zz > 0 && slf', "1:5: undefined field 'zz'", "1:16: undeclared reference to 'slf' (in container '')"],
    ['self.a.frobnicate()', "1:18: undeclared reference to 'frobnicate' (in container '')"],
    [
      "base64.encode(b'')",
      "1:1: undeclared reference to 'base64' (in container '')",
      "1:14: undeclared reference to 'encode' (in container '')"
    ],
    ['self.n.a', "1:7: type 'int' does not support field selection"],
    ["semver('1.2.3').major == 1", "1:16: unexpected failed resolution of 'kubernetes.Semver'"],
    ['self{n: 1}', "1:5: 'Self' is not a type", "1:7: unexpected failed resolution of 'self'"],
    ['self.?zz.optMap(x, x)', "1:5: undefined field 'zz'", "1:5: undefined field 'zz'"]
  ],
  types: [
    ['self.n > "x"', "1:8: found no matching overload for '_>_' applied to '(int, string)'"],
    ["self.a.startsWith('x', 'y')", "1:18: found no matching overload for 'startsWith' applied to 'string.(string, string)'"],
    ["'abc'.reverse()", "1:14: found no matching overload for 'reverse' applied to 'string.()'"],
    ["quantity('1').sign()", "1:19: found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'"],
    ["self['n']", "1:5: found no matching overload for '_[_]' applied to '(Self, string)'"],
    ['duration(5)', "1:9: found no matching overload for 'duration' applied to '(int)'"],
    ['self.a == null', "1:8: found no matching overload for '_==_' applied to '(string, null)'"],
    ['self.l.all(i, i)', "1:15: expected type 'bool' but found 'string'"],
    ['yes && 1', "1:8: expected type 'bool' but found 'int'"],
    ['self.n.all(x, true)', "1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
    ["[1, 'a']", "1:5: expected type 'int' but found 'string'"],
    ["{'a': 1, 2: 'b'}", "1:10: expected type 'string' but found 'int'", "1:13: expected type 'int' but found 'string'"],
    ['[?self.a]', "1:7: expected type 'optional_type(string)' but found 'string'"]
  ],
  literals: [
    ["self.a.matches('(')", '1:16: invalid matches argument'],
    ["duration('x') == duration('1s')", '1:10: invalid duration argument'],
    ["timestamp('x') == timestamp('2024-01-01T00:00:00Z')", '1:11: invalid timestamp argument'],
    ["'%d'.format(['a'])", '1:14: error during formatting: decimal clause can only be used on integers, was given string'],
    ["'%s'.format([1, 2])", '1:12: too many arguments supplied to string.format (expected 1, got 2)']
  ]
}

for (const [group, rows] of Object.entries(table))
  test(`reports errors of ${group}`, () => {
    for (const [expression, ...expected] of rows) assert.deepEqual(messages(expression), expected, expression.slice(0, 60))
  })

test('lists and maps of mixed types can be formatted', () => {
  assert.equal(compile("'%s %d'.format(['a', 1])", environment).issues, undefined)
})

test('shows the line with a caret, which is wide for wide characters', () => {
  const { issues } = compile("any.a &&\n\t'日' == self.n", environment)
  assert.equal(
    issues,
    "ERROR: <input>:2:6: found no matching overload for '_==_' applied to '(string, int)'\n |  '日' == self.n\n | ..．..^"
  )
})
