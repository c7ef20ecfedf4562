import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startEtcd, withoutEtcd } from '../testing/etcd-process.js'
import { write as commit, put, record, remove, text } from '../testing/helpers.js'
import type { EtcdClient } from './client.js'
import { Leases } from './leases.js'
import { openEtcdStore } from './store.js'

/** Grants leases, and counts them. */
function fixture(options: { fails?: () => boolean } = {}) {
  let now = 0
  let granted = 0
  const used: number[] = []
  const client = {
    call: async () => {
      granted++
      if (options.fails?.()) throw new Error('etcd is away')
      return granted
    }
  } as unknown as EtcdClient
  const leases = new Leases(client, { now: () => now, leaseUsed: keys => used.push(keys) })
  return { leases, used, granted: () => granted, wait: (seconds: number) => (now += seconds * 1000) }
}

test('one lease serves keys for a minute', async () => {
  const { leases, used, granted, wait } = fixture()
  const first = await leases.of(3600)
  wait(59.9)
  assert.equal(await leases.of(3600), first)
  wait(0.1)
  assert.notEqual(await leases.of(3600), first)
  assert.equal(granted(), 2)
  assert.deepEqual(used, [2])
})

test('a lease of a short ttl serves for a twentieth of it', async () => {
  const { leases, granted, wait } = fixture()
  await leases.of(100)
  wait(4.9)
  await leases.of(100)
  assert.equal(granted(), 1)
  wait(0.1)
  await leases.of(100)
  assert.equal(granted(), 2)
})

test('a lease serves at most 1000 keys', async () => {
  const { leases, used, granted } = fixture()
  for (let i = 0; i < 1000; i++) await leases.of(3600)
  assert.equal(granted(), 1)
  await leases.of(3600)
  assert.equal(granted(), 2)
  assert.deepEqual(used, [1000])
})

test('keys of another ttl have a lease of their own, and leave the first in use', async () => {
  const { leases, granted } = fixture()
  const events = await leases.of(3600)
  const masters = await leases.of(1000)
  assert.notEqual(masters, events)
  assert.equal(await leases.of(3600), events)
  assert.equal(await leases.of(1000), masters)
  assert.equal(granted(), 2)
})

test('a lease that was not granted is asked for again', async () => {
  let away = true
  const { leases } = fixture({ fails: () => away })
  await assert.rejects(leases.of(3600), /etcd is away/)
  away = false
  assert.ok((await leases.of(3600)) > 0)
})

test('etcd deletes a key after its ttl, unless it is written without one', { skip: withoutEtcd ?? false }, async t => {
  const etcd = await startEtcd()
  t.after(() => etcd.remove())
  const store = await openEtcdStore({ servers: [etcd.url], compactionInterval: 0 })
  t.after(() => store.close())
  const from = await commit(
    store,
    { key: '/a', value: text('0'), ttl: 1 },
    { key: '/b', value: text('0') },
    { key: '/c', value: text('0'), ttl: 1 }
  )
  await put(store, '/c', '1')
  const watch = await record(store, '/', from + 2)
  const [gone] = await watch.have(1)
  assert.deepEqual([gone!.type, gone!.key, gone!.previous?.value.toString()], ['delete', '/a', '0'])
  assert.equal((await store.get('/b'))?.value.toString(), '0')
  assert.equal((await store.get('/c'))?.value.toString(), '1')
  await remove(store, '/b')
  watch.close()
})
