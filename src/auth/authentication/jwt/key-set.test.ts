import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { readCompactJws } from './compact-jws.js'
import { FetchError } from './issuer-client.js'
import { KeySet } from './key-set.js'

const [one, two] = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' })) as [Pair, Pair]
type Pair = { publicKey: KeyObject; privateKey: KeyObject }
const jwk = ({ publicKey }: Pair, kid: string) => ({ ...publicKey.export({ format: 'jwk' }), kid })
const token = async ({ privateKey }: Pair, header: object = {}) =>
  readCompactJws(await new SignJWT({}).setProtectedHeader({ alg: 'ES256', ...header }).sign(privateKey))

/** The keys of an issuer that answers with `answer`, which may change. */
function setUp(answer: { text?: string; status?: number; headers?: Record<string, string>; error?: Error }) {
  const clock = new FakeClock()
  const fetched: (string | undefined)[] = []
  const state = { asked: 0, answer }
  const client = {
    async get() {
      state.asked++
      const { text = '', status = 200, headers = {}, error } = state.answer
      if (error) throw error
      return { status, statusLine: `${status} Words`, headers, text }
    }
  }
  const keys = new KeySet({ url: 'u', client: client as never, clock, fetched: text => void fetched.push(text) })
  return { keys, clock, fetched, state }
}
const set = (...keys: object[]) => JSON.stringify({ keys })
const unsigned = { message: 'failed to verify id token signature' }

describe('the keys of an issuer', () => {
  it('verify by their id, or any for a token without one', async () => {
    const { keys, state } = setUp({ text: set(jwk(one, 'a'), jwk(two, 'b')), headers: { 'cache-control': 'max-age=60' } })
    await keys.verify(await token(one, { kid: 'a' }))
    await keys.verify(await token(two, { kid: 'b' }))
    await keys.verify(await token(two))
    for (const wrong of [
      await token(one, { kid: 'b' }),
      await token(one, { kid: 'c' }),
      await token(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
    ])
      await assert.rejects(keys.verify(wrong), unsigned)
    assert.equal(state.asked, 1)
  })

  it('are fetched again 30 seconds before they expire, if a token is not signed by them', async () => {
    const { keys, clock, state, fetched } = setUp({ text: set(jwk(one, 'a')), headers: { 'cache-control': 'max-age=60' } })
    await keys.verify(await token(one))
    state.answer = { text: set(jwk(two, 'b')) }
    clock.advance(30_000)
    await assert.rejects(keys.verify(await token(two)), unsigned)
    clock.advance(1)
    await keys.verify(await token(one))
    assert.equal(state.asked, 1)
    await keys.verify(await token(two))
    assert.equal(state.asked, 2)
    // without a time they have expired at once
    await assert.rejects(keys.verify(await token(one)), unsigned)
    assert.equal(state.asked, 3)
    assert.deepEqual(fetched, [set(jwk(one, 'a')), set(jwk(two, 'b')), set(jwk(two, 'b'))])
  })

  for (const [what, answer, message] of [
    ['do not come', { error: new FetchError('Get "u": no') }, 'fetching keys oidc: get keys failed Get "u": no'],
    ['are not found', { status: 404, text: 'x' }, 'fetching keys oidc: get keys failed: 404 Words x'],
    ['come with another success', { status: 204, text: '' }, 'fetching keys oidc: get keys failed: 204 Words '],
    [
      'are no JSON',
      { text: '{' },
      /^fetching keys oidc: failed to decode keys: expected Content-Type = application\/json, got "": .* \{$/
    ],
    ['are a list', { text: '[]' }, /json: cannot unmarshal into Go value of type jose\.JSONWebKeySet \[\]$/],
    ['are no list', { text: '{"keys":{}}' }, /JSONWebKeySet\.keys of type \[\]jose\.JSONWebKey/],
    ['are too many', { text: set(...Array(1001).fill(jwk(one, 'a'))) }, /application\/json, got "": more than 1000 keys \{/],
    ['are unreadable', { text: set({ kty: 'x' }) }, /unknown json web key type 'x'/]
  ] as const)
    it(`verify nothing when they ${what}`, async () => {
      const { keys, fetched } = setUp(answer)
      const signed = await token(one)
      await assert.rejects(keys.verify(signed), { message: message as string })
      assert.deepEqual(fetched, [undefined])
    })

  it('verify nothing when there are none', async () => {
    for (const text of ['null', '{}', '{"keys":null}', '{"keys":[]}']) {
      const { keys, fetched } = setUp({ text })
      await assert.rejects(keys.verify(await token(one)), unsigned)
      assert.deepEqual(fetched, [text])
    }
  })

  it('do not hide a mistake', async () => {
    const { keys } = setUp({ error: new RangeError('a bug') })
    await assert.rejects(keys.verify(await token(one)), RangeError)
  })
})
