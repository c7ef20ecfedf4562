import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startConnectProxy } from '../../testkit/connect-proxy.js'
import { connectThrough } from '../../transport/egress/http-connect.js'
import { startEtcd, withoutEtcd } from '../testing/etcd-process.js'
import { openEtcdStore } from './store.js'

test('an etcd is reached through a proxy', { skip: withoutEtcd }, async t => {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-egress-'))
  const etcd = await startEtcd()
  const path = join(directory, 'proxy.sock')
  const port = Number(new URL(etcd.url).port)
  const proxy = await startConnectProxy({ path }, asked =>
    asked === 'etcd.example:2379' ? { host: '127.0.0.1', port } : undefined
  )
  t.after(async () => {
    await proxy.close()
    await etcd.remove()
    rmSync(directory, { recursive: true })
  })
  const egress = connectThrough({ name: path, address: { path } })
  const store = await openEtcdStore({ servers: ['http://etcd.example:2379'], egress })
  t.after(() => store.close())
  assert.ok(proxy.asked.length > 0)
  assert.ok((await store.currentRevision()) > 0)
})
