import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Secret, ServiceAccount } from '../../apimachinery/api/generated/core-v1.js'
import { createServer } from '../../server/server.js'
import { eventually } from '../../testkit/eventually.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'
import { fateOf } from './legacy-token-cleaner.js'

const dayMs = 24 * 60 * 60 * 1000
const used = 'kubernetes.io/legacy-token-last-used'
const invalid = 'kubernetes.io/legacy-token-invalid-since'

describe('the fate of a token in a Secret', () => {
  const now = Date.UTC(2030, 0, 1, 12)
  const ago = (days: number) => new Date(now - days * dayMs).toISOString()
  const day = (days: number) => ago(days).slice(0, 10)
  const account = { metadata: { name: 'bot' }, secrets: [{ name: 's' }] } as ServiceAccount
  const fate = (
    { created = 400, deleted, ...labels }: { created?: number; deleted?: string; [label: string]: unknown } = {},
    owner: ServiceAccount | undefined = account,
    isMounted = false
  ) => {
    const metadata = { name: 's', creationTimestamp: ago(created), labels, ...(deleted ? { deletionTimestamp: deleted } : {}) }
    return fateOf({ metadata } as unknown as Secret, owner, () => isMounted, now)
  }

  it('is to become invalid after a year without use', () => {
    assert.equal(fate(), 'invalidate')
    assert.equal(fate({ [used]: day(366) }), 'invalidate')
    assert.equal(fate({ [used]: day(366), [invalid]: 'x' }), 'invalidate')
  })

  it('is to be deleted after another year', () => {
    assert.equal(fate({ [invalid]: day(366) }), 'delete')
    assert.equal(fate({ [invalid]: day(365) }), 'keep')
  })

  it('is to stay when it is young, in use, or perhaps in use', () => {
    assert.equal(fate({ created: 365 }), 'keep')
    assert.equal(fate({ [used]: day(365), [invalid]: day(400) }), 'keep')
    assert.equal(fate({ [used]: 'yesterday', [invalid]: day(400) }), 'keep')
    assert.equal(fate({ [invalid]: day(400) }, account, true), 'keep')
  })

  it('is to stay when somebody made it by hand, or it is deleted already', () => {
    assert.equal(fate({ [invalid]: day(400) }, { metadata: { name: 'bot' } } as ServiceAccount), 'keep')
    assert.equal(
      fateOf({ metadata: { name: 's', creationTimestamp: ago(400) } } as Secret, undefined, () => false, now),
      'keep'
    )
    assert.equal(fate({ deleted: ago(1), [invalid]: day(400) }), 'keep')
  })
})

it('tokens in Secrets that nobody uses become invalid, and are deleted a year later', async () => {
  const clock = new FakeClock()
  const user = { name: 'admin', groups: ['system:masters'] }
  const server = createServer({
    log: silentLogger,
    clock,
    controllers: ['serviceaccount-token', 'legacy-service-account-token-cleaner']
  })
  await server.start()
  const url = '/api/v1/namespaces/default/secrets/generated'
  const until = (wanted: (object: any) => boolean) =>
    eventually(`${url} is as wanted`, async () => (await server.inject({ url, user })).json(), wanted)
  try {
    const post = (resource: string, body: object) => server.inject({ url: `/api/v1/namespaces/default/${resource}`, user, body })
    await post('serviceaccounts', { metadata: { name: 'bot' }, secrets: [{ name: 'generated' }] })
    const annotations = { 'kubernetes.io/service-account.name': 'bot' }
    await post('secrets', { metadata: { name: 'generated', annotations }, type: 'kubernetes.io/service-account-token' })
    await until(({ data }) => data?.token)
    const pass = (wanted: (object: any) => boolean) =>
      until(object => {
        clock.advance(20 * dayMs)
        return wanted(object)
      })
    await pass(({ metadata }) => metadata.labels?.[invalid] !== undefined)
    await pass(({ code }) => code === 404)
  } finally {
    await server.stop()
  }
})
