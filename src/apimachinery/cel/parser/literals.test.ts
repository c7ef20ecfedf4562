import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UInt } from '../values/value.js'
import { bytesLiteral, doubleLiteral, intLiteral, LiteralError, stringLiteral, uintLiteral } from './literals.js'

test('integers have 64 bits', () => {
  assert.equal(intLiteral('', '9223372036854775807'), 2n ** 63n - 1n)
  assert.equal(intLiteral('-', '9223372036854775808'), -(2n ** 63n))
  assert.equal(intLiteral('-', '0x10'), -16n)
  assert.throws(() => intLiteral('', '9223372036854775808'), new LiteralError('invalid int literal'))
  assert.deepEqual(uintLiteral('18446744073709551615u'), new UInt(2n ** 64n - 1n))
  assert.throws(() => uintLiteral('18446744073709551616u'), new LiteralError('invalid uint literal'))
})

test('doubles are finite', () => {
  assert.equal(doubleLiteral('-1.5e3'), -1500)
  assert.throws(() => doubleLiteral('1e400'), new LiteralError('invalid double literal'))
})

test('strings have escapes, unless they are raw', () => {
  const table: [literal: string, text: string][] = [
    [String.raw`'a\n\t\\\''`, "a\n\t\\'"],
    [String.raw`"\x41\u00e9\U0001F600\101"`, 'Aé😀A'],
    [String.raw`r'\n'`, '\\n'],
    [`'''it's\r\nhere'''`, "it's\nhere"],
    [`''`, '']
  ]
  for (const [literal, text] of table) assert.equal(stringLiteral(literal), text, literal)
  for (const literal of [String.raw`'\ud800'`, String.raw`'\U00110000'`])
    assert.throws(() => stringLiteral(literal), new LiteralError('invalid unicode code point'))
})

test('bytes are the text in UTF-8 and escaped bytes', () => {
  const table: [literal: string, bytes: number[]][] = [
    [`b'é'`, [0xc3, 0xa9]],
    [String.raw`b'\xff\377\n'`, [255, 255, 10]],
    [String.raw`bR'\x'`, [0x5c, 0x78]]
  ]
  for (const [literal, bytes] of table) assert.deepEqual(bytesLiteral(literal), new Uint8Array(bytes), literal)
  assert.throws(() => bytesLiteral(String.raw`b'\u00e9'`), new LiteralError('unable to unescape string'))
})
