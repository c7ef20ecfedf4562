import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ServerOptions } from '../../server/options.js'
import { createServer } from '../../server/server.js'
import type { Store } from '../../storage/contract.js'
import { openEtcdStore } from '../../storage/etcd/store.js'
import { openMemoryStore } from '../../storage/memory/store.js'
import { startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'

const user = { name: 'admin', groups: ['system:masters'] }
const endpointsUrl = '/api/v1/namespaces/default/endpoints/kubernetes'
const sliceUrl = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes'

async function started(t: TestContext, options: ServerOptions) {
  const server = createServer({ log: silentLogger, controllers: [], ...options })
  t.after(() => server.stop())
  await server.start()
  const ask = async (url: string, method = 'GET') => (await server.inject({ url, method, user })).json()
  return {
    server,
    ask,
    shown: async () =>
      ((await ask(endpointsUrl)).subsets ?? []).map(({ addresses, ports }: any) => [
        addresses.map((a: any) => a.ip),
        ports[0].port
      ]),
    slice: async () => ((await ask(sliceUrl)).endpoints ?? []).map((endpoint: any) => endpoint.addresses[0]),
    port: Number(new URL(server.url).port)
  }
}

describe('the Service kubernetes', () => {
  it('has the address of the server until it stops, and its port after another start', async t => {
    const store = openMemoryStore()
    const first = await started(t, { store: unclosed(store), advertiseAddress: '192.0.2.1' })
    assert.deepEqual(await first.shown(), [[['192.0.2.1'], first.port]])
    assert.deepEqual(await first.slice(), ['192.0.2.1'])
    assert.equal((await first.ask(endpointsUrl)).metadata.labels['endpointslice.kubernetes.io/skip-mirror'], 'true')
    await first.server.stop()
    const left = await store.get('/registry/services/endpoints/default/kubernetes')
    assert.equal(JSON.parse(left!.value.toString()).subsets, undefined)
    const second = await started(t, { store, advertiseAddress: '192.0.2.2' })
    assert.deepEqual(await second.shown(), [[['192.0.2.2'], second.port]])
    assert.deepEqual(await second.slice(), ['192.0.2.2'])
  })

  it('comes back after it was deleted, with its endpoints', async t => {
    const clock = new FakeClock()
    const { ask, shown, slice, port } = await started(t, { clock, advertiseAddress: '192.0.2.1' })
    for (const url of ['/api/v1/namespaces/default/services/kubernetes', endpointsUrl, sliceUrl]) await ask(url, 'DELETE')
    assert.equal((await ask(endpointsUrl)).code, 404)
    clock.advance(10_000)
    for (let i = 0; i < 50 && (await slice()).length === 0; i++) await setImmediate()
    assert.deepEqual(await shown(), [[['192.0.2.1'], port]])
    assert.deepEqual(await slice(), ['192.0.2.1'])
    assert.equal((await ask('/api/v1/namespaces/default/services/kubernetes')).spec.clusterIP, '10.0.0.1')
  })

  it('is left alone on request, and may be a NodePort Service', async t => {
    const { ask } = await started(t, {
      endpointReconcilerType: 'none',
      kubernetesServiceNodePort: 30001,
      advertiseAddress: '192.0.2.1'
    })
    assert.equal((await ask(endpointsUrl)).code, 404)
    const { type, ports } = (await ask('/api/v1/namespaces/default/services/kubernetes')).spec
    assert.deepEqual([type, ports[0].nodePort], ['NodePort', 30001])
  })

  it('has the addresses of all servers that share an etcd', { skip: withoutEtcd ?? false }, async t => {
    const etcd = await startEtcd()
    t.after(() => etcd.remove())
    const open = () => openEtcdStore({ servers: [etcd.url], compactionInterval: 0, log: silentLogger })
    const clock = new FakeClock()
    const first = await started(t, { store: await open(), clock, advertiseAddress: '192.0.2.1' })
    const second = await started(t, { store: await open(), advertiseAddress: '192.0.2.2' })
    assert.deepEqual((await second.shown())[0][0], ['192.0.2.1', '192.0.2.2'])
    await second.server.stop()
    for (let i = 0; i < 50 && (await first.slice()).length === 2; i++) await setImmediate()
    assert.deepEqual((await first.shown())[0][0], ['192.0.2.1'])
    assert.deepEqual(await first.slice(), ['192.0.2.1'])
  })
})

/** The store, which stays open when its server stops. */
const unclosed = (store: Store): Store =>
  new Proxy(store, {
    get(target, name) {
      if (name === 'close') return async () => {}
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    }
  })
