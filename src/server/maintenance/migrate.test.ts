import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEtcdStore } from '../../storage/etcd/store.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { brief, put } from '../../storage/testing/helpers.js'
import { silentLogger } from '../../util/logger.js'
import { migrate } from './migrate.js'

const eventTtl = 3600

test('every key arrives, at the root of the target, except the leases of servers', async () => {
  const from = openMemoryStore()
  for (let i = 0; i < 1234; i++) await put(from, `/registry/configmaps/x/${String(i).padStart(4, '0')}`, String(i))
  await put(from, '/registry/configmaps/x/big1', 'x'.repeat(900_000))
  await put(from, '/registry/configmaps/x/big2', 'x'.repeat(900_000))
  await put(from, '/registry/masterleases/192.0.2.1', 'x')
  const other = openMemoryStore()
  assert.equal(await migrate(from, other, { eventTtl }), 1236)
  const all = async (store: typeof from) => brief((await store.list('/registry/configmaps/')).items)
  assert.deepEqual(await all(other), await all(from))
  assert.equal(await other.get('/registry/masterleases/192.0.2.1'), undefined)
  await assert.rejects(
    migrate(from, other, { eventTtl }),
    /the target has 1236 keys already, such as \/registry\/configmaps\/x\/0000/
  )
})

test('data in memory and in etcd become each other', { skip: withoutEtcd ?? false }, async t => {
  const etcd = await startEtcd()
  t.after(() => etcd.remove())
  const open = (prefix: string) => openEtcdStore({ servers: [etcd.url], prefix, compactionInterval: 0, log: silentLogger })
  const [first, second] = [await open('/registry'), await open('/other')]
  t.after(() => Promise.all([first.close(), second.close()]))
  const from = openMemoryStore()
  for (let i = 0; i < 300; i++) await put(from, `/registry/events/x/${i}`, String(i))
  assert.equal(await migrate(from, first, { eventTtl }), 300)
  assert.equal(await migrate(first, second, { eventTtl }), 300)
  const back = openMemoryStore()
  assert.equal(await migrate(second, back, { eventTtl }), 300)
  assert.deepEqual(brief((await back.list('/registry/')).items), brief((await from.list('/registry/')).items))
})

test('an encrypted value does not move to another key', { skip: withoutEtcd ?? false }, async t => {
  const etcd = await startEtcd()
  t.after(() => etcd.remove())
  const to = await openEtcdStore({ servers: [etcd.url], prefix: '/other', compactionInterval: 0, log: silentLogger })
  t.after(() => to.close())
  const from = openMemoryStore()
  await put(from, '/registry/secrets/x/a', 'k8s:enc:aesgcm:v1:key:x')
  await assert.rejects(
    migrate(from, to, { eventTtl }),
    /secrets\/x\/a is encrypted, and can only be read at this key: use --etcd-prefix=\/registry/
  )
})
