import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createServer } from '../../server/server.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'
import { serverId } from '../../util/server-id.js'
import { isExpired } from './server-identity.js'

const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'
const id = serverId(hostname())
const user = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

function make(featureGates: Record<string, boolean> = {}) {
  const clock = new FakeClock()
  const store = openMemoryStore()
  const server = createServer({ log: silentLogger, store, clock, featureGates })
  const ask = async (method: string, url: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await server.inject({ method, url, user, headers, ...(body && { body }) })).json()
  }
  const names = async () => (await ask('GET', leases)).items.map((lease: any) => lease.metadata.name)
  return { clock, server, ask, names }
}

describe('the Lease of a server', () => {
  it('is there from the start, and is renewed', async () => {
    const { clock, server, ask } = make()
    await server.start()
    try {
      const lease = await ask('GET', `${leases}/${id}`)
      assert.equal(lease.metadata.labels['apiserver.kubernetes.io/identity'], 'kube-apiserver')
      assert.equal(lease.spec.leaseDurationSeconds, 3600)
      assert.ok(lease.spec.holderIdentity.startsWith(`${id}_`))
      clock.advance(10_400)
      for (;;) {
        const { spec } = await ask('GET', `${leases}/${id}`)
        if (spec.renewTime > lease.spec.renewTime) return assert.equal(spec.holderIdentity, lease.spec.holderIdentity)
        await setImmediate()
      }
    } finally {
      await server.stop()
    }
  })

  it('says where other API servers reach it, as does a key in a store that others share', async () => {
    const key = `/registry/peerserverleases/${id}`
    let isRemoved = false
    const addressOf = async (options: object) => {
      const store = Object.defineProperty(openMemoryStore(), 'shared', { value: true })
      const commit = store.commit.bind(store)
      store.commit = (writes, caller) => {
        for (const write of writes) if (write.key === key) isRemoved = write.value === undefined
        return commit(writes, caller)
      }
      const server = createServer({ log: silentLogger, store, ...options })
      await server.start()
      try {
        const lease = (await server.inject({ url: `${leases}/${id}`, user })).json()
        const endpoint = await store.get(key)
        const [subset] = endpoint ? JSON.parse(endpoint.value.toString()).subsets : [undefined]
        const address = subset && `${subset.addresses[0].ip}:${subset.ports[0].port}`
        return [lease.metadata.annotations?.['kubernetes.io/peer-advertise-address'], address]
      } finally {
        await server.stop()
      }
    }
    const given = { peerAdvertiseIP: '192.0.2.1', peerAdvertisePort: '6443' }
    assert.deepEqual(await addressOf(given), ['192.0.2.1:6443', '192.0.2.1:6443'])
    assert.ok(isRemoved)
    const [text, address] = await addressOf({ advertiseAddress: '192.0.2.2' })
    assert.match(text, /^192\.0\.2\.2:\d+$/)
    assert.equal(address, text)
    const off = { featureGates: { UnknownVersionInteroperabilityProxy: false } }
    assert.deepEqual(await addressOf(off), [undefined, undefined])
    await assert.rejects(
      addressOf({ ...off, ...given }),
      /^UserError: --peer-advertise-ip requires UnknownVersionInter|turned on/
    )
    await assert.rejects(addressOf({ ...given, peerAdvertisePort: 'x' }), /--peer-advertise-port "x" must be a port number/)
  })

  it('goes with the gate APIServerIdentity, and expired Leases of other servers go', async () => {
    const off = { APIServerIdentity: false, UnknownVersionInteroperabilityProxy: false }
    for (const [gates, left] of [
      [off, ['other']],
      [{}, ['other', id]]
    ] as const) {
      const { clock, server, ask, names } = make(gates)
      await server.start()
      try {
        assert.deepEqual(await names(), left.slice(1))
        const labels = { 'apiserver.kubernetes.io/identity': 'kube-apiserver' }
        const spec = { holderIdentity: 'x', leaseDurationSeconds: 1, renewTime: '2020-01-01T00:00:00.000000Z' }
        await ask('POST', leases, { metadata: { name: 'gone', labels }, spec })
        await ask('POST', leases, { metadata: { name: 'other' }, spec })
        if (left.length === 1) assert.deepEqual(await names(), ['gone', 'other'])
        else {
          clock.advance(3_600_000)
          while ((await names()).includes('gone')) await setImmediate()
          assert.deepEqual((await names()).sort(), [...left].sort())
        }
      } finally {
        await server.stop()
      }
    }
  })

  it('has expired when it was not renewed for its duration, or says nothing of it', () => {
    const lease = (spec: object) => ({ metadata: {}, spec }) as never
    const renewTime = '2026-01-01T00:00:00.000000Z'
    const now = Date.UTC(2026, 0, 1, 0, 0, 10)
    assert.equal(isExpired(lease({ renewTime, leaseDurationSeconds: 10 }), now), false)
    assert.equal(isExpired(lease({ renewTime, leaseDurationSeconds: 9 }), now), true)
    assert.equal(isExpired(lease({ renewTime }), now), true)
    assert.equal(isExpired(lease({ leaseDurationSeconds: 9 }), now), true)
  })
})
