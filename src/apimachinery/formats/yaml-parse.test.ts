import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readYaml, YamlError } from './yaml-parse.js'

test('plain scalars have the types that YAML 1.1 and go-yaml give them', () => {
  const values: [text: string, value: unknown][] = [
    ['yes', true],
    ['N', false],
    ['on', true],
    ['~', null],
    ['', null],
    ['text', 'text'],
    ['"yes"', 'yes'],
    ["'1'", '1'],
    ['0x1F', 31],
    ['010', 8],
    ['0o17', 15],
    ['0b11', 3],
    ['1_000', 1000],
    ['+1', 1],
    ['1e3', 1000],
    ['.5', 0.5],
    ['08', 8],
    ['1:30', '1:30'],
    ['2001-12-14', '2001-12-14'],
    ['!!str 1', '1'],
    ['!!int "3"', 3]
  ]
  for (const [text, value] of values) assert.deepEqual(readYaml(`k: ${text}\n`).value, { k: value }, text)
})

test('keys become strings, and repeated keys are reported with their line', () => {
  assert.deepEqual(readYaml('yes: a\n1: b\n0x10: c\n').value, { true: 'a', 1: 'b', 16: 'c' })
  assert.deepEqual(readYaml('a: 1\nb:\n  c: 2\n  c: 3\n'), {
    value: { a: 1, b: { c: 3 } },
    duplicates: ['line 4: key "c" already set in map']
  })
})

test('only the first document counts; anchors and merges are resolved', () => {
  assert.deepEqual(readYaml('--- {a: 1}\n--- {a: 2}\n').value, { a: 1 })
  assert.deepEqual(readYaml('a: &x {b: 1}\nc: {<<: *x, d: 2}\ne: *x\n').value, { a: { b: 1 }, c: { b: 1, d: 2 }, e: { b: 1 } })
})

const mistakes: [text: string, message: string][] = [
  ['apiVersion: v1\n kind: x\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
  ['x\ny: z\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a:\n\tb: x\n', 'yaml: line 2: found character that cannot start any token'],
  ['a: @x\n', 'yaml: found character that cannot start any token'],
  ['a: [1, 2\nb: 3\n', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: {x: 1\n', "yaml: line 1: did not find expected ',' or '}'"],
  ['{', 'yaml: line 1: did not find expected node content'],
  ['{"a":', 'yaml: line 1: did not find expected node content'],
  ['{"a":1', "yaml: line 1: did not find expected ',' or '}'"],
  ['{"a":\n1\n', "yaml: line 2: did not find expected ',' or '}'"],
  ['{"a":1,\n\n', 'yaml: line 2: did not find expected node content'],
  ['{"a":[1', "yaml: line 1: did not find expected ',' or ']'"],
  ['{"a":{"b":1}', "yaml: line 1: did not find expected ',' or '}'"],
  ['- [1, 2', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: "x\n', 'yaml: line 2: found unexpected end of stream'],
  ['a:\n  - b\n c: d\n', 'yaml: line 2: did not find expected key'],
  ['- a\nb: c\n', "yaml: line 1: did not find expected '-' indicator"],
  ['a: b\nc\n', "yaml: line 3: could not find expected ':'"],
  ['a: "\\q"\n', 'yaml: found unknown escape character'],
  ['a: *x\n', "yaml: unknown anchor 'x' referenced"],
  ['a: \u0001\n', 'yaml: control characters are not allowed'],
  ['~: x\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "x"'],
  ['~: false\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: false'],
  ['~:\n', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: <nil>'],
  ['? [a]\n: b\n', 'yaml: invalid map key']
]
for (const [text, message] of mistakes) {
  test(`${JSON.stringify(text)} is refused: ${message}`, () => assert.throws(() => readYaml(text), new YamlError(message)))
}

test('texts that are too expensive are refused quickly', () => {
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((key, i) => `${key}: &${key} [${`*${'abcdefg'[i]},`.repeat(9)}]`)
  ].join('\n')
  assert.throws(() => readYaml(bomb), new YamlError('yaml: document contains excessive aliasing'))
  for (const deep of ['['.repeat(100_000), '- '.repeat(50_000), '{a: '.repeat(50_000), '? '.repeat(5000)]) {
    assert.throws(() => readYaml(deep), new YamlError('yaml: exceeded max depth'))
  }
})

test('text after a root value that ends by itself is not read', () => {
  for (const [root, rest] of [
    ['{a: b}', ' trailing'],
    ['{a: b}', '\nfoo: bar'],
    ['[1]', ' ['],
    ['"a"', ' b'],
    ["'a'", "\n'b'"]
  ])
    assert.deepEqual(readYaml(`${root}${rest}`).value, readYaml(root!).value)
  assert.throws(() => readYaml('a: {b: c} d'), YamlError)
  for (const text of ['{a: b', '[1', '"a'] as const) assert.throws(() => readYaml(text), YamlError)
})

test('comments are left out, whatever stands around them, and count as blanks where they must not stand', () => {
  const value = (text: string) => readYaml(text).value
  const block = { a: '# not\n', b: ['#x', '#'], c: { d: 'e' } }
  assert.deepEqual(
    value('# first\na: |\n  # not\nb: # after\n  # before\n- \'#x\' # y\n- "#"\nc: # z\n  # in\n  d: e\n# last'),
    block
  )
  assert.deepEqual(value('[a, # b\n # c\n d]'), ['a', 'd'])
  assert.deepEqual(readYaml('# c\na: 1\n# d\na: 2\n').duplicates, ['line 4: key "a" already set in map'])
  assert.deepEqual(value('a: b#c'), { a: 'b#c' })
})
