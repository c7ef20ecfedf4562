import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { discoverKeysUrl, unmarshalProblem } from './provider.js'

const issuer = 'https://a'
const json = { 'content-type': 'application/json' }
/** Discovers with an answer; resolves with the URL of the keys and what was asked for. */
async function discover(document: unknown, more: object = {}, discoveryURL?: string, of = issuer) {
  let asked = ''
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const client = {
    async get(url: string) {
      asked = url
      return { status: 200, statusLine: '200 OK', headers: json, text, ...more }
    }
  }
  const found = await discoverKeysUrl(client as never, of, discoveryURL).catch((error: Error) => error.message)
  return [found, asked]
}
const good = { issuer, jwks_uri: 'https://a/keys' }

describe('the document of an issuer', () => {
  it('lies below its URL, or elsewhere', async () => {
    const usual = 'https://a/.well-known/openid-configuration'
    assert.deepEqual(await discover(good), ['https://a/keys', usual])
    assert.deepEqual(await discover({ ...good, issuer: 'https://a/' }, {}, undefined, 'https://a/'), ['https://a/keys', usual])
    assert.deepEqual(await discover(good, {}, ''), ['https://a/keys', usual])
    assert.deepEqual(await discover(good, {}, 'https://b/c'), ['https://a/keys', 'https://b/c'])
  })

  const mismatch = (got: string) =>
    `oidc: issuer did not match the issuer returned by provider, expected "https://a" got "${got}"`
  for (const [what, document, more, problem] of [
    ['is not found', 'no', { status: 404, statusLine: '404 Not Found' }, '404 Not Found: no'],
    ['comes with another success', good, { status: 201, statusLine: '201 Created' }, `201 Created: ${JSON.stringify(good)}`],
    ['is of another issuer', { ...good, issuer: 'https://b' }, {}, mismatch('https://b')],
    ['is of nobody', { jwks_uri: 'x' }, {}, mismatch('')],
    ['is null', 'null', {}, mismatch('')],
    ['is a list', '[]', {}, mismatch('')],
    ['names no keys', { issuer }, {}, 'provider did not return JWKS URL'],
    [
      'has a wrong type',
      { issuer: 5 },
      {},
      'oidc: failed to decode provider discovery object: got Content-Type = application/json, but could not unmarshal as JSON: json: cannot unmarshal number into Go struct field providerJSON.issuer of type string'
    ]
  ] as const)
    it(`is not used when it ${what}`, async () => assert.equal((await discover(document, more))[0], problem))

  it('should say that it is JSON', () => {
    const error = new Error('e')
    for (const type of ['application/json', 'application/json; charset=utf-8', ' Application/JSON ;x'])
      assert.equal(
        unmarshalProblem(error, { 'content-type': type }),
        'got Content-Type = application/json, but could not unmarshal as JSON: e'
      )
    for (const type of ['text/html', 'application/jsonx', ''])
      assert.equal(
        unmarshalProblem(error, { 'content-type': type }),
        `expected Content-Type = application/json, got "${type}": e`
      )
    assert.equal(unmarshalProblem(error, {}), 'expected Content-Type = application/json, got "": e')
    assert.equal(
      unmarshalProblem(error, { 'content-type': ['text/x', 'application/json'] }),
      'expected Content-Type = application/json, got "text/x": e'
    )
  })
})
