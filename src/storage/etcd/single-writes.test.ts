/** What speaks etcd and takes transactions of one key only, as kine does. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { silentLogger } from '../../util/logger.js'
import type { Store } from '../contract.js'
import { runStoreContract } from '../testing/contract-suite.js'
import { put, remove, text } from '../testing/helpers.js'
import { EtcdClient } from './client.js'
import { round } from './compaction.js'
import { openEtcdStore } from './store.js'
import { type SingleKeyEtcd, startSingleKeyEtcd } from './testing/single-key-etcd.js'

async function open(t: TestContext): Promise<{ etcd: SingleKeyEtcd; store: Store }> {
  const etcd = await startSingleKeyEtcd()
  const store = await openEtcdStore({ servers: [etcd.url], compactionInterval: 0, log: silentLogger })
  t.after(async () => {
    await store.close()
    await etcd.close()
  })
  return { etcd, store }
}

describe('an etcd of single keys', () => runStoreContract('single keys', async t => (await open(t)).store))

test('the store finds out that transactions have one key, and writes nothing for that', async t => {
  const { etcd, store } = await open(t)
  assert.equal(store.singleWrites, true)
  assert.equal((await etcd.store.list('')).count, 0)
})

test('the ttl of a key is what the server takes for its lease', async t => {
  const { etcd, store } = await open(t)
  await store.commit([{ key: '/event', value: text('x'), ttl: 3600 }])
  await store.commit([{ key: '/other', value: text('x'), ttl: 3600 }])
  assert.deepEqual([...etcd.ttls.values()], [3660, 3660])
})

test('deleting what another server has deleted is refused, although the server says that it has done so', async t => {
  const { etcd, store } = await open(t)
  const revision = await put(store, '/a', 'one')
  await remove(etcd.store, '/a')
  assert.deepEqual(await store.commit([{ key: '/a', value: undefined, expected: revision }]), {
    ok: false,
    key: '/a',
    current: undefined
  })
})

test('a write without a condition comes after one that came first', async t => {
  const { etcd, store } = await open(t)
  await put(store, '/a', 'one')
  let once = true
  const fails = () => {
    if (once) void etcd.store.commit([{ key: '/a', value: text('theirs') }])
    once = false
    return undefined
  }
  etcd.fails = fails
  await put(store, '/a', 'two')
  assert.equal(String((await store.get('/a'))?.value), 'two')
  assert.equal((await store.get('/a'))?.version, 3)
})

test('rounds of compaction have the form that the server knows', async t => {
  const { etcd, store } = await open(t)
  const client = await EtcdClient.create({ servers: [etcd.url] })
  t.after(() => client.close())
  let seen = await round(client, { version: 0, revision: 0, compacted: 0 })
  await put(store, '/a', 'one')
  seen = await round(client, seen)
  seen = await round(client, seen)
  assert.equal(seen.version, 3)
  assert.equal(seen.compacted, etcd.store.compactRevision)
  // a server that is behind compacts nothing, and learns what was compacted
  const late = await round(client, { version: 1, revision: 1, compacted: 0 })
  assert.deepEqual([late.version, late.compacted], [3, seen.compacted])
})
