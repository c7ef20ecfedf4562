import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareText, ForeignValue, goQuote, goQuoteRune, goString, goType, goValue, parseBool, sortTexts } from './go-format.js'

test('%q escapes unprintable characters', () => {
  assert.equal(goQuote('say "hi"\\ \t\n'), '"say \\"hi\\"\\\\ \\t\\n"')
  assert.equal(goQuote('\x00\x07\x7f\u0085\u00a0\u2028'), '"\\x00\\a\\x7f\\u0085\\u00a0\\u2028"')
  assert.equal(goQuote('déjà 😀'), '"déjà 😀"')
  assert.equal(goQuote('\u{e0001}'), '"\\U000e0001"')
})

test('%q of an integer is a character', () => {
  const runes = [1n, 34n, 39n, 97n, 7000n, 0xd800n, 0xdfffn, 0xe000n, 0x10ffffn, 0x110000n, -1n]
  assert.deepEqual(runes.map(goQuoteRune), [
    "'\\x01'",
    `'"'`,
    "'\\''",
    "'a'",
    "'᭘'",
    "'\ufffd'",
    "'\ufffd'",
    "'\\ue000'",
    "'\\U0010ffff'",
    "'\ufffd'",
    "'\ufffd'"
  ])
})

test('%v prints a value of another type as that type does', () => {
  assert.equal(goValue({ a: [new ForeignValue('5s', '5000000000', 'time.Duration')] }), 'map[a:[5s]]')
})

test('%v prints maps with sorted keys, lists with spaces', () => {
  assert.equal(
    goValue({ b: ['x', 'y z'], a: { d: null, c: true }, e: [], f: {} }),
    'map[a:map[c:true d:<nil>] b:[x y z] e:[] f:map[]]'
  )
})

test('%v sorts keys by their UTF-8 bytes', () => {
  assert.equal(goValue({ '😀': 1, '\uffee': 2, z: 3 }), 'map[z:3 \uffee:2 😀:1]')
})

test('%v prints floats as %g does', () => {
  const cases: [number | bigint, string][] = [
    [12.5, '12.5'],
    [999999.5, '999999.5'],
    [1234567.89, '1.23456789e+06'],
    [0.00012345, '0.00012345'],
    [0.0000123, '1.23e-05'],
    [1e21, '1e+21'],
    [-2.5, '-2.5'],
    [20, '20'],
    // an integer in the document is a bigint beyond 2^53
    [2 ** 60, '1.152921504606847e+18'],
    [2n ** 60n, '1152921504606846976']
  ]
  for (const [value, text] of cases) assert.equal(goValue(value), text)
})

test('%s marks values that are not strings', () => {
  assert.equal(goString('x'), 'x')
  assert.equal(goString(5), '%!s(int64=5)')
  assert.equal(goString(1.5), '%!s(float64=1.5)')
  assert.equal(goString(null), '%!s(<nil>)')
  assert.equal(goString({ a: [true, 'x', null] }), 'map[a:[%!s(bool=true) x <nil>]]')
})

test('values have the types that Go decodes them to', () => {
  assert.deepEqual([1, 1.5, 1e30, 'x', true, [], {}].map(goType), [
    'int64',
    'float64',
    'float64',
    'string',
    'bool',
    '[]interface {}',
    'map[string]interface {}'
  ])
})

test('strconv.ParseBool', () => {
  for (const text of ['1', 't', 'T', 'TRUE', 'true', 'True']) assert.equal(parseBool(text), true, text)
  for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False']) assert.equal(parseBool(text), false, text)
  for (const text of ['', 'tRUE', 'yes', '2']) assert.equal(parseBool(text), undefined, text)
})

test('texts are sorted by code points, not by UTF-16 units', () => {
  assert.deepEqual(sortTexts(['b', '\uffee', '😀', 'a']), ['a', 'b', '\uffee', '😀'])
  assert.deepEqual(sortTexts(['😀', '\uffee']), ['\uffee', '😀'])
  assert.deepEqual(['a😀', 'a\uffee'].sort(compareText), ['a\uffee', 'a😀'])
  assert.deepEqual([compareText('a', 'a'), compareText('a', 'ab'), compareText('b', 'a')], [0, -1, 1])
})
