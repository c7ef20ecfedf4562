import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utf8Problem } from './utf8-problem.js'

test('the first mistake in UTF-8 is named as by go-yaml', () => {
  for (const [bytes, problem] of [
    [[0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80], undefined],
    [[0x61, 0xe9, 0x0a], 'incomplete UTF-8 octet sequence'],
    [[0xff], 'invalid leading UTF-8 octet'],
    [[0x80, 0xe9], 'invalid leading UTF-8 octet'],
    [[0xe9, 0x0a, 0x0a], 'invalid trailing UTF-8 octet'],
    [[0xc0, 0x80], 'invalid length of a UTF-8 sequence'],
    [[0xed, 0xa0, 0x80], 'invalid Unicode character'],
    [[0xf4, 0x90, 0x80, 0x80], 'invalid Unicode character']
  ] as const)
    assert.equal(utf8Problem(Buffer.from(bytes)), problem)
})
