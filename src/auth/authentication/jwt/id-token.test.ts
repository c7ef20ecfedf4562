import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { claimedIssuer } from './compact-jws.js'
import { checkIdToken } from './id-token.js'

const now = Date.UTC(2026, 0, 1)
const second = now / 1000
const a = 'https://a.example.com'
const google = 'https://accounts.google.com'
/** What is undefined is not in a token. */
const present = (claims: object) => Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
const check = (claims: object, issuer = a, audiences = ['me']) =>
  checkIdToken(present({ iss: issuer, aud: 'me', exp: second + 1, ...claims }), { issuer, audiences, now: () => now })
const problem = (claims: object, issuer?: string, audiences?: string[]) => {
  try {
    check(claims, issuer, audiences)
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

describe('the claims of an ID token', () => {
  it('name the issuer whose keys have signed it', () => {
    assert.equal(problem({}), 'none')
    const other = (expected: string, got: string) =>
      `oidc: id token issued by a different provider, expected "${expected}" got "${got}"`
    for (const iss of ['https://b', `${a}/`, '', google, 'accounts.google.com']) assert.equal(problem({ iss }), other(a, iss))
    assert.equal(problem({ iss: a }, google), other(google, a))
    assert.equal(problem({ iss: undefined }), other(a, ''))
  })

  it('may name Google without a scheme', () => {
    assert.equal(problem({ iss: 'accounts.google.com' }, google), 'none')
    const token = (iss: string) => `e30.${Buffer.from(JSON.stringify({ iss })).toString('base64url')}.x`
    assert.equal(claimedIssuer(token('accounts.google.com')), google)
    assert.equal(claimedIssuer(token('example.com')), 'example.com')
  })

  it('are for one of the audiences', () => {
    const several = ['me', 'them']
    assert.equal(problem({ aud: ['x', 'them'] }, a, several), 'none')
    assert.equal(problem({ aud: ['x'] }, a, several), 'oidc: expected audience in ["me" "them"] got ["x"]')
    assert.equal(problem({ aud: ['x'] }), 'oidc: expected audience "me" got ["x"]')
    // one audience is checked before the times, several after them
    assert.match(problem({ aud: 'x', exp: 1 }), /expected audience/)
    assert.match(problem({ aud: 'x', exp: 1 }, a, several), /token is expired/)
  })

  it('are valid up to their expiry, and from a minute before nbf', () => {
    assert.equal(problem({ exp: second }), 'none')
    assert.equal(problem({ exp: second - 1 }), 'oidc: token is expired (Token Expiry: 2025-12-31 23:59:59 +0000 UTC)')
    assert.equal(problem({ nbf: second + 60 }), 'none')
    assert.equal(
      problem({ nbf: second + 61 }),
      'oidc: current time 2026-01-01 00:00:00 +0000 UTC before the nbf (not before) time: 2026-01-01 00:01:01 +0000 UTC'
    )
    assert.equal(problem({ nbf: null, iat: second + 1000 }), 'none')
    assert.match(problem({ nbf: 1e300 }), /before the nbf/)
    assert.match(problem({ exp: '9'.repeat(400) }), /value out of range/)
    for (const exp of [1e19, -1e19, '1e300']) assert.match(problem({ exp }), /token is expired/)
  })

  it('need a time at which they expire', () => {
    assert.equal(problem({ exp: undefined }), 'oidc: token is expired (Token Expiry: 0001-01-01 00:00:00 +0000 UTC)')
    assert.match(problem({ exp: null }), /strconv\.ParseFloat: parsing "": invalid syntax$/)
    assert.equal(problem({ exp: second + 0.9 }), 'none')
    assert.equal(problem({ exp: String(second) }), 'none')
    assert.equal(problem({ exp: 1.5 }), 'oidc: token is expired (Token Expiry: 1970-01-01 00:00:01 +0000 UTC)')
  })

  it('may name no audience, or null', () => {
    assert.equal(problem({ aud: undefined }), 'oidc: expected audience "me" got []')
    assert.equal(problem({ aud: null }), 'oidc: expected audience "me" got [""]')
    assert.equal(problem({ aud: [null] }), 'oidc: expected audience "me" got [""]')
    assert.equal(problem({ aud: [] }, a, ['me', 'them']), 'oidc: expected audience in ["me" "them"] got []')
    assert.match(problem({ aud: 5 }), /idToken\.aud of type \[\]string$/)
  })

  it('are an object', () => {
    for (const payload of [null, [], 'x', 5])
      assert.throws(() => checkIdToken(payload, { issuer: a, audiences: ['me'], now: () => now }), {
        message: 'oidc: failed to unmarshal claims: no object'
      })
  })

  it('are read as Go reads them: by names in any case, the last of which counts', () => {
    assert.equal(problem({ aud: ['x'], AUD: 'me' }), 'none')
    assert.match(problem({ Exp: 1 }), /token is expired/)
    assert.match(problem({ 'i\u017fs': 'https://b' }), /issued by a different provider/)
  })

  it('have the first wrong type in their message, times and audiences before others', () => {
    const wrong = (field: string, got: string, type: string) =>
      `oidc: failed to unmarshal claims: json: cannot unmarshal ${got} into Go struct field ${field} of type ${type}`
    assert.equal(problem({ sub: 5, nonce: true }), wrong('idToken.sub', 'number', 'string'))
    assert.equal(problem({ sub: 5, iat: [] }), wrong('idToken.iat', 'array', 'json.Number'))
    const sources = { _claim_sources: { a: { endpoint: 5 } } }
    assert.equal(problem(sources), wrong('claimSource._claim_sources.endpoint', 'number', 'string'))
    assert.equal(problem({ _claim_names: { a: '' } }), 'oidc: failed to obtain source from claim name')
    assert.equal(problem({ _claim_names: { a: 'b' }, _claim_sources: { c: {} } }), 'oidc: source does not exist')
    assert.equal(problem({ _claim_names: { a: 'b' }, _claim_sources: { b: {} } }), 'none')
  })
})
