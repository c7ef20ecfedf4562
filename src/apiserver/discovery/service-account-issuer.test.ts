import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { keyId, StaticTokenKeys } from '../../registry/tokens/token-keys.js'
import { issuerPaths } from './service-account-issuer.js'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const options = { keys: new StaticTokenKeys([publicKey]), serverAddress: () => 'example.com:6443' }

describe('service account issuer discovery', () => {
  it('publishes the issuer and the keys that verify its tokens', async () => {
    const answers = await Promise.all(
      issuerPaths({ ...options, issuer: 'https://issuer' }).map(async ({ handle }) => {
        const { body } = (await handle({
          request: { method: 'GET' },
          header: () => undefined
        } as unknown as RequestContext)) as Response
        return JSON.parse(String(body))
      })
    )
    assert.equal(answers[0].jwks_uri, 'https://example.com:6443/openid/v1/jwks')
    assert.deepEqual(answers[0].id_token_signing_alg_values_supported, ['ES256'])
    const [key] = answers[1].keys
    assert.equal(key.kid, keyId(publicKey))
    assert.ok(createPublicKey({ key, format: 'jwk' }).equals(publicKey))
  })

  it('shows another address of the keys, and no key that is only for old tokens', async () => {
    const [published, old] = [publicKey, generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey]
    const all = [
      { id: 'new', key: published, isPublished: true },
      { id: 'old', key: old, isPublished: false }
    ]
    const keys = { all, generation: 1, maxAgeSeconds: 7, find: () => all }
    const context = { request: { method: 'GET' }, header: () => undefined } as unknown as RequestContext
    const [configuration, set] = await Promise.all(
      issuerPaths({ ...options, keys, jwksUri: 'https://keys', issuer: 'https://issuer' }).map(
        async ({ handle }) => (await handle(context)) as Response
      )
    )
    const shown = JSON.parse(String(configuration!.body))
    assert.deepEqual([shown.jwks_uri, shown.id_token_signing_alg_values_supported], ['https://keys', ['ES256']])
    assert.deepEqual(
      JSON.parse(String(set!.body)).keys.map(({ kid }: { kid: string }) => kid),
      ['new']
    )
    assert.equal(set!.headers['cache-control'], 'public, max-age=7')
  })

  it('is off for an issuer that is not an https URL', () => {
    assert.deepEqual(issuerPaths({ ...options, issuer: 'kubernetes/serviceaccount' }), [])
  })
})
