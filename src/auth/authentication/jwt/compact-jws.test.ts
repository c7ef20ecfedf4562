import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { TokenError } from '../authenticator.js'
import { claimedIssuer, decodeBase64, readCompactJws } from './compact-jws.js'

const encode = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
const jws = (header: unknown, payload: unknown = { iss: 'i' }) => `${encode(header)}.${encode(payload)}.c2ln`
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })

describe('a compact JWS', () => {
  it('names its algorithm and key, and has a payload', () => {
    const token = jws({ alg: 'RS256', kid: 'k', nonce: 'n' }, 'text')
    assert.deepEqual(readCompactJws(token), { algorithm: 'RS256', keyId: 'k', payload: 'text', compact: token })
    assert.deepEqual(readCompactJws(` ${token.replace('.', '.\n')}\t`).compact, token)
    const bare = readCompactJws(`.${encode('x')}.`)
    assert.deepEqual([bare.algorithm, bare.keyId, bare.payload], ['', '', 'x'])
    assert.equal(readCompactJws(jws({ jwk: pair.publicKey.export({ format: 'jwk' }) })).payload, '{"iss":"i"}')
    assert.ok(readCompactJws(jws({ alg: 'x', jwk: null })))
  })

  for (const [what, token, message] of [
    ['two parts', 'a.b', /^oidc: malformed jwt: go-jose\/go-jose: compact JWS format must have three parts$/],
    ['four parts', 'a.b.c.d', /^oidc: malformed jwt$/],
    ['five parts', 'a.b.c.d.e', /^oidc: malformed jwt$/],
    ['a header that is no JSON', jws('{'), /^oidc: malformed jwt: /],
    ['a header that is no object', jws([]), /cannot unmarshal array into Go value of type jose\.rawHeader$/],
    ['an algorithm that is no text', jws({ alg: 5 }), /failed to unmarshal algorithm: .*: "5"$/],
    ['a key that is no text', jws({ kid: {} }), /failed to unmarshal key ID: .*: "\{\}"$/],
    ['a nonce that is no text', jws({ nonce: [] }), /failed to unmarshal nonce: /],
    ['an unreadable key', jws({ jwk: { kty: 'x' } }), /failed to unmarshal JWK: go-jose\/go-jose: unknown json web key type 'x'/],
    ['a private key', jws({ jwk: pair.privateKey.export({ format: 'jwk' }) }), /invalid embedded jwk, must be public key$/],
    [
      'an algorithm that is too deep',
      jws(`{"alg":${'['.repeat(80_000)}${']'.repeat(80_000)}}`),
      /malformed jwt: exceeded max depth$/
    ],
    ['broken base64', 'a*.b.c', /illegal base64 data at input byte 1$/]
  ] as const)
    it(`is malformed with ${what}`, () =>
      assert.throws(
        () => readCompactJws(token),
        (error: Error) => error instanceof TokenError && message.test(error.message)
      ))

  it('claims an issuer', () => {
    assert.equal(claimedIssuer(jws({})), 'i')
    assert.equal(claimedIssuer(jws({}, { ISS: 'j' })), 'j')
    assert.equal(claimedIssuer(jws({}, {})), '')
    for (const token of [
      '',
      'a',
      'a.b',
      'a.b.c',
      `${jws({})}.d`,
      '{}',
      ` {"a":"${jws({})}`,
      jws({}, []),
      jws({}, { iss: 5 }),
      jws({}, 'null')
    ])
      assert.equal(claimedIssuer(token), undefined, token)
    const long = (length: number) => jws({}).padEnd(length, 'x')
    assert.equal(claimedIssuer(long(256 * 1024)), 'i')
    assert.equal(claimedIssuer(long(256 * 1024 + 1)), undefined)
  })

  it('is base64 without padding', () => {
    for (const [text, decoded] of [
      ['', ''],
      ['YQ', 'a'],
      ['YWI', 'ab'],
      ['YW\nJj\r', 'abc'],
      ['_-8', Buffer.of(255, 239).toString()]
    ] as const)
      assert.equal(decodeBase64(text), decoded)
    for (const [text, at] of [
      ['Y', 0],
      ['YWJjY', 4],
      ['YQ==', 2],
      ['+a', 0],
      ['a/', 1]
    ] as const)
      assert.throws(() => decodeBase64(text), { message: `illegal base64 data at input byte ${at}` })
  })
})
