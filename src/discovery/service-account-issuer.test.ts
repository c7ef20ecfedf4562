import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { keyId } from '../registry/tokens/service-account-tokens.js'
import type { RequestContext } from '../request/context.js'
import type { Response } from '../request/message.js'
import { issuerPaths } from './service-account-issuer.js'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const options = { publicKeys: [publicKey], serverAddress: () => 'example.com:6443' }

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

  it('is off for an issuer that is not an https URL', () => {
    assert.deepEqual(issuerPaths({ ...options, issuer: 'kubernetes/serviceaccount' }), [])
  })
})
