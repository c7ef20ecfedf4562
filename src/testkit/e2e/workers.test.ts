/** A server of several processes is one server. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startEtcd, withoutEtcd } from '../../storage/testing/etcd-process.js'
import { eventually } from '../eventually.js'
import type { ServerProcess } from './server-process.js'
import { type Connection, configMap, configMaps, connect, connectToEach, processOf, start, timeout } from './worker-processes.js'

async function behavesAsOne(t: TestContext, server: ServerProcess): Promise<void> {
  const all = [...(await connectToEach(t, server, 3)).values()]
  const [first, second] = all as [Connection, Connection]
  for (let i = 0; i < 30; i++) {
    const [writer, reader] = [all[i % 3]!, all[(i + 1) % 3]!]
    const name = `seen-${i}`
    const { status, body } = await writer.request('POST', configMaps, configMap(name, 'one'))
    assert.equal(status, 201)
    const read = await reader.request('GET', `${configMaps}/${name}`)
    assert.equal(read.body.metadata?.resourceVersion, body.metadata.resourceVersion, `${name} is read as ${read.status}`)
    const listed = await reader.request('GET', configMaps)
    assert.ok(listed.body.items.some((item: any) => item.metadata.name === name))
  }
  // a write on the condition of what another process has written
  const { body: read } = await first.request('GET', `${configMaps}/seen-0`)
  assert.equal((await second.request('PUT', `${configMaps}/seen-0`, { ...read, data: { value: 'two' } })).status, 200)
  assert.equal((await first.request('PUT', `${configMaps}/seen-0`, { ...read, data: { value: 'three' } })).status, 409)
  // objects that are written together
  const objects = ['set-a', 'set-b'].map(name => ({ apiVersion: 'v1', kind: 'ConfigMap', ...configMap(name, 'x') }))
  for (const object of objects) Object.assign(object.metadata, { namespace: 'default' })
  const set = await second.request('POST', '/binnacle/v1/sets?fieldManager=test', {
    apiVersion: 'v1',
    kind: 'List',
    items: objects
  })
  assert.ok(set.status === 200 || set.status === 201, JSON.stringify(set.body))
  assert.equal((await first.request('GET', `${configMaps}/set-b`)).status, 200)
  // addresses are allocated once
  const service = (name: string) => ({ metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }] } })
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, i) => all[i % 3]!.request('POST', '/api/v1/namespaces/default/services', service(`s${i}`)))
  )
  const created = made.filter(({ status }) => status === 201)
  assert.equal(created.length, 24, JSON.stringify(made.find(({ status }) => status !== 201)?.body))
  assert.equal(new Set(created.map(({ body }) => body.spec.clusterIP)).size, 24)
  assert.equal(new Set(created.map(({ body }) => body.spec.ports[0].nodePort)).size, 24)
}

test('what one process has acknowledged, the others show and build on', { timeout }, async t => {
  const { server } = await start(t)
  await behavesAsOne(t, server)
  // permissions count at once in all processes
  const all = [...(await connectToEach(t, server, 3)).values()]
  for (const [i, reader] of all.entries()) {
    const alice = { 'impersonate-user': `alice-${i}` }
    assert.equal((await reader.request('GET', configMaps, undefined, alice)).status, 403)
    const binding = {
      metadata: { name: `alice-${i}` },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'User', name: `alice-${i}`, apiGroup: 'rbac.authorization.k8s.io' }]
    }
    const path = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings'
    assert.equal((await all[(i + 1) % 3]!.request('POST', path, binding)).status, 201)
    assert.equal((await reader.request('GET', configMaps, undefined, alice)).status, 200)
  }
})

test('the same with etcd', { timeout, skip: withoutEtcd ?? false }, async t => {
  const etcd = await startEtcd()
  t.after(() => etcd.remove())
  const { server } = await start(t, ['--storage-backend=etcd3', `--etcd-servers=${etcd.url}`])
  await behavesAsOne(t, server)
})

test('history and the records of requests are those of the whole server', { timeout }, async t => {
  const { server } = await start(t, ['--history=1h', '--recorder'])
  const all = [...(await connectToEach(t, server, 3)).values()]
  const carol = { 'impersonate-user': 'carol', 'impersonate-group': 'system:masters' }
  const created = await all[1]!.request('POST', configMaps, configMap('past', 'one'), carol)
  assert.equal(created.status, 201)
  const { body } = await all[2]!.request('GET', `${configMaps}/past`)
  assert.equal((await all[2]!.request('PUT', `${configMaps}/past`, { ...body, data: { value: 'two' } })).status, 200)
  assert.equal((await all[1]!.request('DELETE', `${configMaps}/past`, undefined, carol)).status, 200)
  const history = '/binnacle/v1/history'
  const about = 'resource=configmaps&namespace=default&name=past'
  for (const one of all) {
    const { status, body } = await one.request('GET', `${history}/versions?${about}`)
    assert.equal(status, 200)
    assert.deepEqual(
      body.versions.map(({ change, user }: any) => [change, user]),
      [
        ['deleted', 'carol'],
        ['updated', 'kubernetes-admin'],
        ['created', 'carol']
      ]
    )
    // nobody may see the past of what is hidden from them
    const mallory = { 'impersonate-user': 'mallory' }
    assert.equal((await one.request('GET', `${history}/versions?${about}`, undefined, mallory)).status, 403)
  }
  const undelete = { resource: 'configmaps', namespace: 'default', name: 'past' }
  const back = await all[2]!.request('POST', `${history}/undelete`, undelete, carol)
  assert.equal(back.status, 201, JSON.stringify(back.body))
  assert.equal(back.body.object.data.value, 'two')
  const [newest] = (await all[0]!.request('GET', `${history}/versions?${about}`)).body.versions
  assert.deepEqual([newest.change, newest.user], ['created', 'carol'])
  // a request that one process refuses is explained by the others
  const alice = { 'impersonate-user': 'alice' }
  assert.equal((await all[2]!.request('GET', `${configMaps}/past`, undefined, alice)).status, 403)
  // each process tells the first one of a request when it has ended, which may be after its client has the answer
  const recorded = async (one: Connection): Promise<string[]> => {
    const { requests } = (await one.request('GET', '/binnacle/v1/explain/requests')).body
    const about = requests.filter(({ verb, resource }: any) => resource === 'configmaps' && !['watch', 'list'].includes(verb))
    return about.map(({ verb, status, impersonated }: any) => `${verb} ${status} ${impersonated ?? ''}`).sort()
  }
  const expected = ['create 201 carol', 'delete 200 carol', 'get 200 ', 'get 403 alice', 'update 200 ']
  for (const one of all) {
    const seen = await eventually(
      'all requests are recorded',
      () => recorded(one),
      ({ length }) => length >= expected.length
    )
    assert.deepEqual(seen, expected)
    const { status, body } = await one.request('POST', '/binnacle/v1/explain/access', { request: 'last-denied' })
    assert.deepEqual([status, body.request.verb, body.request.impersonated], [200, 'get', 'alice'])
  }
})

test('connections are spread evenly, those of a burst and those that replace others', { timeout }, async t => {
  const { server } = await start(t)
  const open = new Map<number, Connection[]>([0, 1, 2].map(number => [number, []]))
  t.after(() => [...open.values()].flat().forEach(one => void one.close()))
  const burst = async (count: number) => {
    const fresh = Array.from({ length: count }, () => connect(server))
    await Promise.all(fresh.map(one => one.request('GET', '/version')))
    for (const one of fresh) open.get(await processOf(server, one))!.push(one)
    return [...open.values()].map(({ length }) => length)
  }
  // a process that hardly gets to run has fewer
  assert.ok(Math.min(...(await burst(30))) >= 7)
  for (const one of open.get(1)!.splice(0)) one.close()
  for (const one of open.get(2)!.splice(0)) one.close()
  const [own = 0, ...others] = await burst(open.get(0)!.length * 2)
  assert.ok(Math.min(own, ...others) >= own / 2, `${own}, ${others}`)
})

test('health, metrics and the log of audit are those of the whole server', { timeout }, async t => {
  const policy = join(mkdtempSync(join(tmpdir(), 'binnacle-policy-')), 'policy.yaml')
  t.after(() => rmSync(join(policy, '..'), { recursive: true }))
  writeFileSync(policy, 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n')
  const log = join(policy, '../audit/audit.log')
  const { server } = await start(t, [`--audit-policy-file=${policy}`, `--audit-log-path=${log}`, '--audit-log-maxsize=1'])
  const byProcess = await connectToEach(t, server, 3)
  const agents = [...byProcess.values()].map(({ name }) => name)
  for (const one of byProcess.values())
    for (let i = 0; i < 10; i++) assert.equal((await one.request('GET', `${configMaps}/none`)).status, 404)
  const texts = await Promise.all([...byProcess.values()].map(one => one.request('GET', '/metrics')))
  for (const { status, body } of texts) {
    assert.equal(status, 200)
    const count = /^apiserver_request_total\{code="404",.*resource="configmaps".*verb="GET",.*\} (\d+)$/m.exec(body)?.[1]
    assert.equal(Number(count), 30)
    assert.match(body, /^kubernetes_build_info\{.*\} 1$/m)
  }
  const health = await Promise.all([...byProcess.values()].map(one => one.request('GET', '/readyz?verbose')))
  assert.deepEqual(new Set(health.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(health.map(({ body }) => body)).size, 1)
  const lines = readdirSync(join(log, '..')).flatMap(name =>
    readFileSync(join(log, '..', name), 'utf8')
      .trim()
      .split('\n')
  )
  const events = lines.map(line => JSON.parse(line))
  for (const agent of agents)
    assert.equal(events.filter(({ userAgent, responseStatus }) => userAgent === agent && responseStatus.code === 404).length, 10)
})
