import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TokenError } from './authenticator.js'
import { readClaims } from './token-claims.js'

describe('claims', () => {
  it('have times in whole seconds, or none', () => {
    const { exp, nbf, iat } = readClaims({ exp: 1.9, nbf: 0, iat: null })
    assert.deepEqual([exp, nbf, iat], [1, 0, undefined])
    assert.equal(readClaims({ 'kubernetes.io': { warnafter: 5.5 } }).warnafter, 5)
  })

  it('have one audience, several or none', () => {
    for (const [aud, audiences] of [
      [undefined, []],
      ['a', ['a']],
      [
        ['a', 'b'],
        ['a', 'b']
      ]
    ] as const)
      assert.deepEqual(readClaims({ aud }).audiences, audiences)
  })

  for (const [what, payload] of [
    // JSON.parse() makes it of 1e999: a time that never comes
    ['an infinite time', { exp: Number.POSITIVE_INFINITY }],
    ['a time that is no number', { exp: '1' }],
    ['an issuer that is no text', { iss: 1 }],
    ['an audience that is no text', { aud: [1] }],
    ['no object', []],
    ['a legacy claim that is no text', { 'kubernetes.io/serviceaccount/namespace': 1 }]
  ] as const)
    it(`are refused with ${what}`, () =>
      assert.throws(() => {
        readClaims(payload).legacy('namespace')
      }, TokenError))
})
