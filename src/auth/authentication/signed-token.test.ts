import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { TokenError } from './authenticator.js'
import { SignedTokens } from './signed-token.js'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const sign = (sub: string, header: object = {}, key: KeyObject = privateKey) =>
  new SignJWT({ iss: 'i', sub }).setProtectedHeader({ alg: 'ES256', ...header }).sign(key)

/** Keys that may change, with the ids for which they were asked. */
function setUp(limit?: number) {
  const asked: (string | undefined)[] = []
  const keys = {
    all: [],
    generation: 0,
    maxAgeSeconds: 0,
    current: [other.publicKey, publicKey],
    async find(id: string | undefined) {
      asked.push(id)
      await undefined
      return this.current.map(key => ({ id: 'k', key, isPublished: true }))
    }
  }
  return { keys, asked, tokens: new SignedTokens(keys, limit) }
}

describe('a signed token', () => {
  it('is verified once, with the key that it names or any', async () => {
    const { tokens, asked } = setUp()
    for (const header of [{}, { kid: 'k' }]) {
      const token = await sign('s', header)
      const claims = await tokens.verify(token)
      assert.equal(claims?.sub, 's')
      assert.equal(await tokens.verify(token), claims)
    }
    assert.deepEqual(asked, [undefined, 'k'])
  })

  it('is verified again when the keys have changed', async () => {
    const { tokens, asked, keys } = setUp()
    const token = await sign('s')
    await tokens.verify(token)
    keys.generation++
    assert.equal((await tokens.verify(token))?.sub, 's')
    keys.generation++
    keys.current = [other.publicKey]
    await assert.rejects(tokens.verify(token), TokenError)
    assert.equal(asked.length, 3)
  })

  it('is not remembered when the keys change while it is verified', async () => {
    const { tokens, asked, keys } = setUp()
    const [token, other] = [await sign('s'), await sign('t')]
    const verifying = tokens.verify(token)
    keys.generation++
    // notes the new keys
    await Promise.all([verifying, tokens.verify(other)])
    assert.equal(asked.length, 2)
    await tokens.verify(other)
    assert.equal(asked.length, 2)
    await tokens.verify(token)
    assert.equal(asked.length, 3)
  })

  it('is forgotten when it is the one that was shown longest ago of too many', async () => {
    const { tokens, asked } = setUp(2)
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(sub => sign(sub)))
    for (const token of [a, b, a, c, a, c]) await tokens.verify(token!)
    assert.equal(asked.length, 3)
    await tokens.verify(b!)
    assert.equal(asked.length, 4)
  })

  it('is refused with a wrong signature, without one, and with a header that cannot be read', async () => {
    const { tokens, asked } = setUp()
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const good = await sign('s')
    const [header, payload, signature] = good.split('.') as [string, string, string]
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const changed = signature[4] === 'A' ? 'B' : 'A'
    for (const token of [
      await sign('s', {}, stranger),
      `${header}.${text({ iss: 'i', sub: 't' })}.${signature}`,
      `${header}.${payload}.${signature.slice(0, 4)}${changed}${signature.slice(5)}`,
      `${header}.${payload}.`,
      `${text({ alg: 'none' })}.${payload}.`,
      `${text({ alg: 'HS256' })}.${payload}.${signature}`,
      `${text({ alg: 'ES384' })}.${payload}.${signature}`,
      `${text({ alg: 'ES256', crit: ['x'], x: 1 })}.${payload}.${signature}`
    ])
      await assert.rejects(tokens.verify(token), { message: 'go-jose/go-jose: error in cryptographic primitive' }, token)
    const before = asked.length
    for (const other of ['x.y.z', `${header}.${payload}.${signature}=`, `${header}.${payload}`])
      assert.equal(await tokens.verify(other), undefined)
    assert.equal(asked.length, before)
    assert.equal((await tokens.verify(good))?.sub, 's')
  })

  it('names its issuer, if it is not absurdly long', () => {
    const token = (length: number) => {
      const rest = { iss: 'i', x: '' }
      const payload = (x: string) => Buffer.from(JSON.stringify({ ...rest, x })).toString('base64url')
      const unsigned = `e30.${payload('x'.repeat(3000))}.`
      return unsigned + 'A'.repeat(length - unsigned.length)
    }
    assert.equal(SignedTokens.issuerOf(token(64 * 1024)), 'i')
    assert.equal(SignedTokens.issuerOf(token(64 * 1024 + 1)), undefined)
    for (const other of ['', 'a', 'a.b', 'a.b.c', 'a.b.c.d.e']) assert.equal(SignedTokens.issuerOf(other), undefined)
  })
})
