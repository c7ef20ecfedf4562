import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseBearerToken } from './bearer-token.js'

describe('Authorization header', () => {
  for (const [header, token] of [
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    [' Bearer abc ', 'abc'],
    ['Bearer abc more words', 'abc'],
    ['Bearer abc=', 'abc=']
  ] as const) {
    it(`finds the token of ${JSON.stringify(header)}`, () => assert.deepEqual(parseBearerToken(header), { token }))
  }

  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Bearerabc', 'Basic YTpi', 'Token abc', 'abc']) {
    it(`finds no credentials in ${JSON.stringify(header)}`, () => assert.deepEqual(parseBearerToken(header), {}))
  }

  it('ignores a token after two spaces, with a warning', () => {
    assert.deepEqual(parseBearerToken('Bearer  abc'), {
      warning: 'the provided Authorization header contains extra space before the bearer token, and is ignored'
    })
  })
})
