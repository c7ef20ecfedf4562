import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emitYaml } from './yaml-emit.js'

/** Values of a key, and the text that go-yaml v2 writes after the key. */
const values: [value: unknown, yaml: string][] = [
  ['text', 'text'],
  ['', '""'],
  ['true', '"true"'],
  ['y', '"y"'],
  ['Off', '"Off"'],
  ['~', '"~"'],
  ['1', '"1"'],
  ['0123', '"0123"'],
  ['1_000', '"1_000"'],
  ['.5', '".5"'],
  ['1e3', '"1e3"'],
  ['0x1f', '"0x1f"'],
  ['1:30', '"1:30"'],
  ['2001-12-14', '"2001-12-14"'],
  ['2024-05-06T07:08:09Z', '"2024-05-06T07:08:09Z"'],
  ['10.0.0.1', '10.0.0.1'],
  ['1Gi', '1Gi'],
  ['a: b', "'a: b'"],
  ['a:b', 'a:b'],
  ['a #b', "'a #b'"],
  ['- a', "'- a'"],
  ['-a', '-a'],
  ['*', "'*'"],
  ["it's", "it's"],
  ["'quoted'", "'''quoted'''"],
  ['{a}', "'{a}'"],
  [' a', "' a'"],
  ['a\tb', '"a\\tb"'],
  ['\u{1F600}', '"\\U0001F600"'],
  ['ü', 'ü'],
  ['one\ntwo', '|-\n  one\n  two'],
  ['one\ntwo\n', '|\n  one\n  two'],
  ['one\n\n', '|+\n  one\n'],
  [' one\ntwo', '|2-\n   one\n  two'],
  ['one \ntwo', '"one \\ntwo"'],
  [null, 'null'],
  [true, 'true'],
  [9007199254740991, '9007199254740991'],
  [1.5, '1.5'],
  [1234567.5, '1.2345675e+06'],
  [0.00001, '1e-05'],
  [{}, '{}'],
  [[], '[]'],
  [['a', ['b', 'c'], { d: 1, e: [2] }], '\n- a\n- - b\n  - c\n- d: 1\n  e:\n  - 2'],
  [{ a: { b: 'c' } }, '\n  a:\n    b: c']
]
for (const [value, yaml] of values) {
  test(`${JSON.stringify(value)} is written as ${JSON.stringify(yaml)}`, () =>
    assert.equal(emitYaml({ k: value }), `k:${yaml.startsWith('\n') ? '' : ' '}${yaml}\n`))
}

test('lines are folded at the first blank after column 80', () => {
  const upTo = (column: number, start: string) => 'x'.repeat(column - start.length)
  const at81 = upTo(81, 'k: ')
  assert.equal(emitYaml({ k: `${at81} and more` }), `k: ${at81}\n  and more\n`)
  assert.equal(emitYaml({ k: `${upTo(80, 'k: ')} and more` }), `k: ${upTo(80, 'k: ')} and\n  more\n`)
  assert.equal(emitYaml({ k: `${at81}  and: more` }), `k: '${at81}  and:\n  more'\n`)
  assert.equal(emitYaml({ k: `${at81}  and\tmore` }), `k: "${at81}\n  \\ and\\tmore"\n`)
  assert.equal(emitYaml({ k: 'x'.repeat(100) }), `k: ${'x'.repeat(100)}\n`)
})

test('keys are sorted naturally, quoted if necessary, and marked when they are long', () => {
  assert.equal(
    emitYaml({ a10: 1, a2: 2, B: 3, yes: 4, '.': 5, 'x/y': 6, '1': 7 }),
    '.: 5\n"1": 7\nB: 3\na2: 2\na10: 1\nx/y: 6\n"yes": 4\n'
  )
  const long = 'k'.repeat(129)
  assert.equal(emitYaml({ [long]: { a: 1 } }), `? ${long}\n: a: 1\n`)
})

test('undefined values are left out', () => assert.equal(emitYaml({ a: undefined, b: { c: undefined } }), 'b: {}\n'))
