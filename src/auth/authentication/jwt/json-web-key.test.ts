import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { TokenError } from '../authenticator.js'
import { readKey } from './json-web-key.js'

const jwk = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' })
const ec = jwk('P-256')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const problem = (key: unknown) => {
  try {
    readKey(key)
    return ''
  } catch (error) {
    assert.ok(error instanceof TokenError, String(error))
    return error.message.replace('go-jose/go-jose: ', '')
  }
}

describe('a JSON Web Key', () => {
  it('verifies tokens when it is a public RSA or EC key', () => {
    for (const curve of ['P-256', 'P-384', 'P-521']) assert.ok(readKey(jwk(curve)).key)
    assert.ok(readKey(rsa.publicKey.export({ format: 'jwk' })).key)
    assert.equal(readKey({ ...ec, kid: 'k' }).id, 'k')
    // what it says about its use does not count
    assert.ok(readKey({ ...ec, use: 'enc', key_ops: [], ext: false, alg: 'ES512' }).key)
  })

  it('verifies none when it is private, symmetric or of Ed25519', () => {
    assert.equal(readKey(rsa.privateKey.export({ format: 'jwk' })).key, undefined)
    const secret = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })
    assert.equal(readKey(secret).key, undefined)
    assert.equal(readKey({ kty: 'oct', k: 'AAAA' }).key, undefined)
    assert.equal(readKey({ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }).key, undefined)
  })

  for (const [key, message] of [
    [5, 'json: cannot unmarshal number into Go value of type jose.rawJSONWebKey'],
    [{ ...ec, kid: 5 }, 'json: cannot unmarshal number into Go struct field rawJSONWebKey.kid of type string'],
    [{}, "unknown json web key type ''"],
    [{ kty: 'AKP' }, "unknown json web key type 'AKP'"],
    [{ kty: 'RSA', n: 'AQAB' }, 'invalid RSA key, missing n/e values'],
    [{ ...ec, crv: 'secp256k1' }, "unsupported elliptic curve 'secp256k1'"],
    [{ ...ec, x: undefined }, 'invalid EC key, missing x/y values'],
    [{ kty: 'RSA', e: 'AQAB' }, 'invalid RSA key, missing n/e values'],
    [{ ...ec, y: undefined }, 'invalid EC key, missing x/y values'],
    [{ ...ec, x: 'AAAA' }, 'invalid EC public key, wrong length for x'],
    [{ ...ec, crv: undefined }, "unsupported elliptic curve ''"],
    [{ kty: 'OKP', crv: 'Ed25519' }, "unknown curve Ed25519'"],
    [{ kty: 'ec' }, "unknown json web key type 'ec'"],
    [{ ...ec, d: 5 }, 'json: cannot unmarshal number into Go struct field rawJSONWebKey.d of type string'],
    [{ ...ec, y: 'AAAA' }, 'invalid EC public key, wrong length for y'],
    [{ ...ec, y: ec.x }, 'invalid EC key, X/Y are not on declared curve'],
    [{ kty: 'OKP', crv: 'X25519', x: 'AAAA' }, "unknown curve X25519'"],
    [{ kty: 'oct' }, 'invalid OCT (symmetric) key, missing k value']
  ] as const)
    it(`like ${JSON.stringify(key)?.slice(0, 60)} is unreadable`, () => assert.equal(problem(key), message))
})
