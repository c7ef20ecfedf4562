/** Several servers share one etcd. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { encodeProtobuf } from '../../apimachinery/formats/protobuf/object.js'
import type { InjectedResponse } from '../../apimachinery/request/injected.js'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import type { Store } from '../../storage/contract.js'
import { openEtcdStore } from '../../storage/etcd/store.js'
import { type EtcdProcess, startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { FaultProxy } from '../../storage/testing/fault-proxy.js'
import { silentLogger } from '../../util/logger.js'
import { eventually } from '../eventually.js'

const user = { name: 'admin', groups: ['system:masters'] }
const configMaps = '/api/v1/namespaces/default/configmaps'

describe('two servers over one etcd', { skip: withoutEtcd ?? false }, () => {
  let etcd: EtcdProcess
  let a: BinnacleServer
  let b: BinnacleServer
  let store: Store

  const server = async () => {
    const made = createServer({ storageBackend: 'etcd3', etcdServers: [etcd.url], log: silentLogger })
    await made.start()
    return made
  }
  const ask = async (to: BinnacleServer, method: string, url: string, body?: unknown) => {
    const { status, body: text } = await to.inject({ method, url, ...(body === undefined ? {} : { body }), user } as never)
    return { status, body: JSON.parse(String(text)) }
  }

  before(async () => {
    etcd = await startEtcd()
    ;[a, b] = await Promise.all([server(), server()])
    store = await openEtcdStore({ servers: [etcd.url], compactionInterval: 0, log: silentLogger })
  })
  after(async () => {
    await store.close()
    await Promise.all([a.stop(), b.stop()])
    await etcd.remove()
  })

  test('the other server shows an acknowledged write at once, in get and list', async () => {
    for (let i = 0; i < 50; i++) {
      const [writer, reader] = i % 2 ? [a, b] : [b, a]
      const { status, body } = await ask(writer, 'POST', configMaps, { metadata: { name: `seen-${i}` } })
      assert.equal(status, 201)
      const read = await ask(reader, 'GET', `${configMaps}/seen-${i}`)
      assert.equal(read.body.metadata?.resourceVersion, body.metadata.resourceVersion)
      const list = await ask(reader, 'GET', `${configMaps}?labelSelector=!x`)
      assert.ok(list.body.items.some((item: any) => item.metadata.name === `seen-${i}`))
    }
  })

  test('a write of an outdated resource version is refused by the other server, too', async () => {
    const created = (await ask(a, 'POST', configMaps, { metadata: { name: 'raced' } })).body
    const updated = await ask(b, 'PUT', `${configMaps}/raced`, { ...created, data: { by: 'b' } })
    assert.equal(updated.status, 200)
    assert.equal((await ask(a, 'PUT', `${configMaps}/raced`, { ...created, data: { by: 'a' } })).status, 409)
    assert.equal((await ask(a, 'PUT', `${configMaps}/raced`, { ...updated.body, data: { by: 'a' } })).status, 200)
  })

  test('patches of one object through both servers lose nothing', async () => {
    await ask(a, 'POST', configMaps, { metadata: { name: 'shared' } })
    const patch = (to: BinnacleServer, key: string): Promise<InjectedResponse> =>
      to.inject({
        method: 'PATCH',
        url: `${configMaps}/shared`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: { data: { [key]: 'x' } },
        user
      } as never)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => patch(i % 2 ? a : b, `k${i}`)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(Object.keys((await ask(b, 'GET', `${configMaps}/shared`)).body.data).length, 20)
  })

  test('Services created through both at the same time have distinct addresses and ports', async () => {
    const make = (to: BinnacleServer, name: string) =>
      ask(to, 'POST', '/api/v1/namespaces/default/services', {
        metadata: { name },
        spec: { type: 'NodePort', ports: [{ port: 80 }] }
      })
    const made = await Promise.all(Array.from({ length: 30 }, (_, i) => make(i % 2 ? a : b, `svc-${i}`)))
    assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(made.map(({ body }) => body.spec.clusterIP)).size, 30)
    assert.equal(new Set(made.map(({ body }) => body.spec.ports[0].nodePort)).size, 30)
    const clusterIP = made[0]!.body.spec.clusterIP
    const taken = await ask(b, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'taken' },
      spec: { clusterIP, ports: [{ port: 80 }] }
    })
    assert.match(taken.body.message, /provided IP is already allocated/)
    await ask(a, 'DELETE', '/api/v1/namespaces/default/services/svc-0')
    const again = await ask(b, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'again' },
      spec: { clusterIP, ports: [{ port: 80 }] }
    })
    assert.equal(again.status, 201, again.body.message)
  })

  test('objects that kube-apiserver stored, in Protobuf and in another version, are read', async () => {
    const metadata = { name: 'from-kube', namespace: 'default', uid: '6b0a8e53-9a4f-4d49-9e2e-6f1c6d1c9a11', labels: { a: 'b' } }
    const put = (key: string, object: object) => store.commit([{ key, value: encodeProtobuf(object), expected: 0 }])
    const spec = { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '500m' } } }] }
    await put('/registry/pods/default/from-kube', { kind: 'Pod', apiVersion: 'v1', metadata, spec })
    await put('/registry/horizontalpodautoscalers/default/from-kube', {
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v1',
      metadata,
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd' }, maxReplicas: 3, targetCPUUtilizationPercentage: 40 }
    })
    const pod = (await ask(a, 'GET', '/api/v1/namespaces/default/pods/from-kube')).body
    assert.deepEqual([pod.metadata.labels, pod.spec.containers[0].resources.limits], [{ a: 'b' }, { cpu: '500m' }])
    assert.ok(Number(pod.metadata.resourceVersion) > 1)
    const scaler = await ask(b, 'GET', '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/from-kube')
    assert.equal(scaler.body.spec.metrics[0].resource.target.averageUtilization, 40)
    await put('/registry/configmaps/default/from-kube', { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { a: '1' } })
    await ask(a, 'POST', configMaps, { metadata: { name: 'from-binnacle' } })
    for (const reader of [a, b]) {
      const { items } = (await ask(reader, 'GET', configMaps)).body
      const names = items.map((item: any) => item.metadata.name).filter((name: string) => name.startsWith('from-'))
      assert.deepEqual(names, ['from-binnacle', 'from-kube'])
    }
    const configMap = (await ask(a, 'GET', `${configMaps}/from-kube`)).body
    assert.equal((await ask(b, 'PUT', `${configMaps}/from-kube`, { ...configMap, data: { a: '2' } })).status, 200)
    const stored = JSON.parse(String((await store.get('/registry/configmaps/default/from-kube'))?.value))
    assert.deepEqual([stored.kind, stored.data, stored.metadata.uid], ['ConfigMap', { a: '2' }, metadata.uid])
  })

  test('without etcd the servers are not ready and report why, and they resume when it is back', async () => {
    await etcd.kill()
    const away = await ask(a, 'GET', `${configMaps}/raced`)
    assert.equal(away.status, 500)
    assert.match(away.body.message, /no etcd server can be reached|Unavailable/)
    const cached = await ask(a, 'GET', `${configMaps}/raced?resourceVersion=0`)
    assert.equal(cached.status, 200)
    const ready = await a.inject({ method: 'GET', url: '/readyz', user } as never)
    assert.equal(ready.status, 500)
    assert.match(String(ready.body), /\[-\]etcd failed/)
    await etcd.restart()
    for (;;) {
      const { status } = await ask(a, 'POST', configMaps, { metadata: { name: 'after' } })
      if (status === 201 || status === 409) break
    }
    for (;;) {
      const { status } = await ask(b, 'GET', `${configMaps}/after`)
      if (status === 200) break
      assert.notEqual(status, 404)
    }
  })

  test('while etcd stalls, requests end within their deadline, and the log reports the stall and its end', async t => {
    const proxy = await FaultProxy.start(() => Number(new URL(etcd.url).port))
    const lines: string[] = []
    const note = (line: string) => void lines.push(line)
    const log = { ...silentLogger, error: note, info: note }
    const c = createServer({ storageBackend: 'etcd3', etcdServers: [proxy.url], log })
    await c.start()
    t.after(async () => {
      proxy.pass()
      await c.stop()
      proxy.close()
    })
    const { host } = new URL(proxy.url)
    proxy.hold()
    const began = Date.now()
    const [read, written, cached] = await Promise.all([
      ask(c, 'GET', `${configMaps}/raced?timeout=3s`),
      ask(c, 'POST', `${configMaps}?timeout=3s`, { metadata: { name: 'stalled' } }),
      ask(c, 'GET', `${configMaps}/raced?resourceVersion=0`)
    ])
    assert.deepEqual([read.status, written.status, cached.status], [504, 504, 200])
    assert.ok(Date.now() - began < 20_000)
    assert.ok(
      lines.some(line => line.startsWith(`etcd: ${host} does not answer, no other server answers: `)),
      lines.join('\n')
    )
    proxy.pass()
    while ((await ask(c, 'GET', `${configMaps}/raced`)).status !== 200);
    await eventually(
      'the server of etcd answers again',
      () => lines,
      said => said.includes(`etcd: ${host} answers again`)
    )
  })

  test('controllers run in one server, and move to the other when it stops', async () => {
    const lease = async () =>
      (await ask(b, 'GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/binnacle-controllers')).body
    const first = (await lease()).spec.holderIdentity
    assert.ok(first)
    await a.stop()
    await ask(b, 'POST', '/api/v1/namespaces', { metadata: { name: 'short-lived' } })
    await ask(b, 'DELETE', '/api/v1/namespaces/short-lived')
    while ((await ask(b, 'GET', '/api/v1/namespaces/short-lived')).status !== 404) await new Promise(setImmediate)
    assert.ok((await lease()).spec.holderIdentity)
    a = await server()
  })

  test('a server that dies loses no data', async () => {
    const c = await server()
    await ask(c, 'POST', configMaps, { metadata: { name: 'last-words' } })
    await c.stop()
    assert.equal((await ask(a, 'GET', `${configMaps}/last-words`)).status, 200)
  })
})
