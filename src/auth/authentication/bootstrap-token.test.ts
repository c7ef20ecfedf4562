import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Registry } from '../../registry/registry.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { BootstrapTokenAuthenticator } from './bootstrap-token.js'

const good = { 'token-id': 'abc123', 'token-secret': '0123456789abcdef', 'usage-bootstrap-authentication': 'true' }

/** Returns the user of the token when its Secret has this data. */
function ask(data: Record<string, string>, more: object = {}, token = 'abc123.0123456789abcdef') {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]))
  const secret = { metadata: {}, type: 'bootstrap.kubernetes.io/token', data: encoded, ...more }
  const secrets = {
    read: (namespace: string, name: string) =>
      `${namespace}/${name}` === 'kube-system/bootstrap-token-abc123' ? secret : undefined
  }
  const registry = { ifServed: () => secrets } as unknown as Registry
  return new BootstrapTokenAuthenticator(registry, new FakeClock()).authenticateToken(token)?.user
}

describe('a bootstrap token', () => {
  it('authenticates its user, with sorted groups', () => {
    assert.deepEqual(ask(good), { name: 'system:bootstrap:abc123', groups: ['system:bootstrappers'] })
    const groups = 'system:bootstrappers:b,system:bootstrappers:a,system:bootstrappers:b'
    assert.deepEqual(ask({ ...good, 'auth-extra-groups': groups })?.groups, [
      'system:bootstrappers',
      'system:bootstrappers:a',
      'system:bootstrappers:b'
    ])
  })

  it('is valid until it expires', () => {
    for (const expiration of ['2999-01-01T00:00:00+02:00', '2026-01-01T00:00:00.001Z'])
      assert.ok(ask({ ...good, expiration }), expiration)
    for (const expiration of ['2026-01-01T00:00:00Z', '1999-01-01T00:00:00Z', '2999-01-01', 'never'])
      assert.equal(ask({ ...good, expiration }), undefined)
  })

  for (const [what, data, more, token] of [
    ['another secret part', good, {}, 'abc123.0123456789abcdeg'],
    ['another id', good, {}, 'abc124.0123456789abcdef'],
    ['another form', good, {}, 'ABC123.0123456789abcdef'],
    ['another id in the Secret', { ...good, 'token-id': 'abc124' }],
    ['another type of Secret', good, { type: 'Opaque' }],
    ['a Secret that is being deleted', good, { metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } }],
    ['another usage', { ...good, 'usage-bootstrap-authentication': 'True' }],
    ['a group that is not for bootstrapping', { ...good, 'auth-extra-groups': 'system:masters' }]
  ] as const) {
    it(`is refused with ${what}`, () => assert.equal(ask(data, more, token), undefined))
  }
})
