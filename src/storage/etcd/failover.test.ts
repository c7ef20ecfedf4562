import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { eventually } from '../../testkit/eventually.js'
import { silentLogger } from '../../util/logger.js'
import { CompactedError, StoreUnavailableError } from '../contract.js'
import { startEtcd, withoutEtcd } from '../testing/etcd-process.js'
import { FaultProxy } from '../testing/fault-proxy.js'
import { brief, line, put, record, text } from '../testing/helpers.js'
import { EtcdClient } from './client.js'
import { round } from './compaction.js'
import { openEtcdStore } from './store.js'

const quiet = { compactionInterval: 0, log: silentLogger }

describe('a store on etcd', { skip: withoutEtcd ?? false }, () => {
  test('a watch misses nothing while etcd is away', async t => {
    const etcd = await startEtcd()
    t.after(() => etcd.remove())
    const [store, other] = [
      await openEtcdStore({ servers: [etcd.url], ...quiet }),
      await openEtcdStore({ servers: [etcd.url], ...quiet })
    ]
    t.after(() => Promise.all([store.close(), other.close()]))
    const from = await put(store, '/a', '0')
    const watch = await record(store, '/', from + 1)
    await put(other, '/a', '1')
    await watch.have(1)
    await etcd.kill()
    await assert.rejects(store.get('/a'), StoreUnavailableError)
    await assert.rejects(store.health(200), /no etcd server can be reached: 127\.0\.0\.1:\d+/)
    await etcd.restart()
    for (let value = 2; value < 6; value++) await put(other, '/a', String(value))
    assert.deepEqual((await watch.have(5)).map(line), [
      `${from + 1} /a=1 (0)`,
      ...[2, 3, 4, 5].map(value => `${from + value} /a=${value} (${value - 1})`)
    ])
    assert.equal((await store.get('/a'))?.value.toString(), '5')
  })

  test('a server that is down is skipped, and a server that never answers is reported', async t => {
    const [gone, etcd] = await Promise.all([startEtcd(), startEtcd()])
    await gone.remove()
    t.after(() => etcd.remove())
    const store = await openEtcdStore({ servers: [gone.url, etcd.url], ...quiet })
    t.after(() => store.close())
    for (let i = 0; i < 10; i++) await put(store, `/k${i}`, 'x', 0)
    assert.equal((await store.list('/')).count, 10)
    const nobody = openEtcdStore({ servers: [gone.url], startTimeout: 100, ...quiet })
    await assert.rejects(
      nobody,
      (error: Error) => error instanceof StoreUnavailableError && /no etcd server can be reached/.test(error.message)
    )
  })

  test('a member that says nothing costs a moment: others are asked and watched until it answers again', async t => {
    const etcd = await startEtcd()
    const port = () => Number(new URL(etcd.url).port)
    // two ways to one member stand for two members
    const ways = await Promise.all([FaultProxy.start(port), FaultProxy.start(port)])
    const lines: string[] = []
    const log = { ...silentLogger, error: (line: string) => void lines.push(line), info: (line: string) => void lines.push(line) }
    const store = await openEtcdStore({ servers: ways.map(({ url }) => url), compactionInterval: 0, log })
    const other = await openEtcdStore({ servers: [etcd.url], ...quiet })
    t.after(async () => {
      for (const way of ways) way.pass()
      await Promise.all([store.close(), other.close()])
      for (const way of ways) way.close()
      await etcd.remove()
    })
    const watch = await record(store, '/', (await store.currentRevision()) + 1)
    let written = 0
    for (const way of ways) {
      way.hold()
      const { host } = new URL(way.url)
      const began = Date.now()
      for (let i = 0; i < 8; i++) {
        const revision = await put(other, `/k${written++}`, 'x')
        // the watch needs longer than one question when both went through this way
        while ((await Promise.resolve(store.currentRevision()).catch(() => 0)) < revision);
      }
      await watch.have(written)
      assert.ok(Date.now() - began < 20_000, 'gRPC needs 40 s to notice')
      assert.ok(
        lines.some(line => line.includes(`etcd: ${host} does not answer, other servers are asked: `)),
        lines.join('\n')
      )
      way.pass()
      await eventually(
        'the server of etcd answers again',
        () => lines,
        said => said.includes(`etcd: ${host} answers again`)
      )
    }
  })

  test('a store shows the write of another store as soon as it is asked for the current revision', async t => {
    const etcd = await startEtcd()
    t.after(() => etcd.remove())
    const [a, b] = [
      await openEtcdStore({ servers: [etcd.url], ...quiet }),
      await openEtcdStore({ servers: [etcd.url], ...quiet })
    ]
    t.after(() => Promise.all([a.close(), b.close()]))
    const watch = await record(b, '/', (await b.currentRevision()) + 1)
    for (let i = 1; i <= 50; i++) {
      const revision = await put(a, '/a', String(i))
      assert.ok((await b.currentRevision()) >= revision)
      assert.equal(watch.events.length, i)
    }
    const current = await a.get('/a')
    const race = await Promise.all(
      [a, b].map(store => store.commit([{ key: '/a', value: text('z'), expected: current!.modRevision }]))
    )
    assert.equal(race.filter(({ ok }) => ok).length, 1)
  })

  test('of several servers one compacts in each interval, and none compacts younger revisions', async t => {
    const etcd = await startEtcd()
    t.after(() => etcd.remove())
    const store = await openEtcdStore({ servers: [etcd.url], ...quiet })
    const clients = [await EtcdClient.create({ servers: [etcd.url] }), await EtcdClient.create({ servers: [etcd.url] })] as const
    t.after(async () => {
      for (const client of clients) client.close()
      await store.close()
    })
    const none = { version: 0, revision: 0, compacted: 0 }
    const old = await put(store, '/a', '0')
    let seen = [await round(clients[0], none), await round(clients[1], none)] as const
    assert.ok(await store.get('/a', { revision: old }), 'the first round compacts nothing')
    const young = await put(store, '/a', '1')
    seen = [await round(clients[0], seen[0]), await round(clients[1], seen[1])]
    assert.ok(seen[0].compacted > old)
    assert.equal(seen[1].compacted, seen[0].compacted, 'the other server learns of it')
    await assert.rejects(store.get('/a', { revision: old }), CompactedError)
    assert.equal((await store.get('/a', { revision: young }))?.value.toString(), '1')
    assert.equal((await store.get('compact_rev_key'))?.version, 2)
    const next = await round(clients[1], seen[1])
    assert.equal((await store.get('compact_rev_key'))?.version, 3, 'another one goes on when the first is gone')
    assert.ok(next.revision > seen[1].revision)
  })

  test('certificates are checked on both sides', async t => {
    const directory = await mkdtemp(join(tmpdir(), 'binnacle-etcd-tls-'))
    t.after(() => rm(directory, { recursive: true }))
    const file = (name: string) => join(directory, name)
    const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    openssl('req', '-x509', ...key, '-keyout', file('ca.key'), '-out', file('ca.crt'), '-subj', '/CN=ca', '-days', '2')
    for (const name of ['server', 'client']) {
      const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
      openssl('req', ...key, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`), ...subject)
      const by = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-copy_extensions', 'copy', '-days', '2']
      openssl('x509', '-req', '-in', file(`${name}.csr`), ...by, '-out', file(`${name}.crt`))
    }
    const tls = [
      '--cert-file',
      file('server.crt'),
      '--key-file',
      file('server.key'),
      '--client-cert-auth',
      '--trusted-ca-file',
      file('ca.crt')
    ]
    const etcd = await startEtcd({ scheme: 'https', flags: tls })
    t.after(() => etcd.remove())
    const servers = [etcd.url]
    const store = await openEtcdStore({
      servers,
      caFile: file('ca.crt'),
      certFile: file('client.crt'),
      keyFile: file('client.key'),
      ...quiet
    })
    t.after(() => store.close())
    await put(store, '/a', 'x')
    assert.deepEqual(brief((await store.list('/')).items), ['/a=x'])
    await assert.rejects(openEtcdStore({ servers, caFile: file('ca.crt'), startTimeout: 0, ...quiet }), StoreUnavailableError)
    await assert.rejects(
      openEtcdStore({ servers, caFile: file('none.crt'), ...quiet }),
      /--etcd-cafile .*none\.crt: no such file/
    )
    await assert.rejects(openEtcdStore({ servers: ['ftp://x'], ...quiet }), /--etcd-servers ftp:\/\/x: must be a URL/)
  })
})
