import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type BinnacleServer, defineKind, type KubeObject, kindRef, until } from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { silentLogger } from '../../util/logger.js'
import { portless } from '../testing/portless.js'
import {
  createOrUpdate,
  defineOperator,
  defineReconciler,
  type RunOptions,
  runOperator,
  setControllerReference
} from './index.js'

interface Course extends KubeObject {
  spec: { seats: number }
}
const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }]
})
const rooms = defineReconciler({
  for: course,
  owns: [kindRef('v1', 'ConfigMap')],
  async reconcile(object, { client }) {
    const { name, namespace } = object.metadata
    const room = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `room-${name}`, namespace } } as const
    await createOrUpdate(client, room, map => {
      map.data = { ...map.data, seats: String(object.spec.seats) }
      setControllerReference(object, map)
    })
  }
})
const operator = defineOperator({ name: 'rooms', kinds: [course], reconcilers: [rooms] })
const room = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'room-algebra' } } as const

const run = (server: BinnacleServer, options: Partial<RunOptions> = {}) =>
  runOperator(operator, { client: server.client(), install: true, log: silentLogger, ...options })

/** A promise that the test settles. */
function deferred<T>() {
  let resolve!: (value: T) => void
  const promise = new Promise<T>(done => (resolve = done))
  return { promise, resolve }
}

describe('an operator', () => {
  test('installs its kinds, is elected, reconciles, tells how it is, and gives its Lease back', async t => {
    const server = await portless(t)
    const client = server.client()
    const running = run(server, { identity: 'one', health: { port: 0 }, metrics: { port: 0 } })
    t.after(() => running.stop())
    await Promise.all([running.ready, running.elected])
    await client.of(course).create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    await until(client, room, ({ data }) => data?.seats === '20')
    await client.of('v1', 'ConfigMap').patch('room-algebra', { data: { seats: '1', other: 'mine' } })
    await until(client, room, ({ data }) => data?.seats === '20' && data.other === 'mine')

    const lease = await client.of('coordination.k8s.io/v1', 'Lease').get('rooms', { namespace: 'rooms-system' })
    assert.equal(lease.spec.holderIdentity, 'one')
    for (const path of ['healthz', 'readyz', 'readyz/caches', 'healthz/leader-election'])
      assert.equal(await (await fetch(`${running.urls.health}/${path}`)).text(), 'ok')
    const metrics = await (await fetch(`${running.urls.metrics}/metrics`)).text()
    assert.match(metrics, /^leader_election_master_status\{name="rooms"\} 1$/m)
    assert.match(metrics, /^controller_runtime_reconcile_total\{controller="course",result="success"\} [1-9]/m)
    assert.match(metrics, /^controller_runtime_max_concurrent_reconciles\{controller="course"\} 1$/m)
    assert.match(metrics, /^workqueue_adds_total\{controller="course",name="course"\} [1-9]/m)

    await running.stop()
    await running.stopped
    const released = await client.of('coordination.k8s.io/v1', 'Lease').get('rooms', { namespace: 'rooms-system' })
    assert.equal(released.spec.holderIdentity, '')
    await assert.rejects(fetch(`${running.urls.health}/healthz`))
  })

  test('leaves the work to another replica while that leads, and takes over when it stops', async t => {
    const clock = new FakeClock()
    const server = await portless(t)
    const one = run(server, { identity: 'one', clock })
    t.after(() => one.stop())
    await one.elected
    const two = run(server, { identity: 'two', clock })
    t.after(() => two.stop())
    await two.ready
    let elected = false
    void two.elected.then(() => (elected = true))
    await clock.pass(60_000)
    assert.equal(elected, false)
    await one.stop()
    const passing = clock.pass(5000)
    await two.elected
    await passing
  })

  test('that loses its Lease stops its work, and fails', async t => {
    const clock = new FakeClock()
    const server = await portless(t)
    const running = run(server, { identity: 'one', clock })
    t.after(() => running.stop().catch(() => {}))
    await running.elected
    const fault = server.faults.add({ resource: 'leases', status: 503 })
    await clock.pass(10_000)
    await assert.rejects(running.stopped, /rooms has lost its Lease/)
    assert.ok(fault.count > 1)
    fault.remove()
    await server
      .client()
      .of(course)
      .create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    await clock.pass(60_000)
    assert.equal(await server.client().of('v1', 'ConfigMap').find('room-algebra'), undefined)
  })

  test('that loses its Lease ends at once, and what still runs can write nothing more', async t => {
    const clock = new FakeClock()
    const server = await portless(t)
    const begun = deferred<void>()
    const goOn = deferred<void>()
    const written = deferred<unknown>()
    const slow = defineReconciler({
      for: course,
      async reconcile({ metadata }, { client }) {
        begun.resolve()
        await goOn.promise
        const write = client.of('v1', 'ConfigMap').create({ metadata: { name: `late-${metadata.name}` } })
        await write.then(written.resolve, written.resolve)
      }
    })
    const running = runOperator(defineOperator({ name: 'slow', kinds: [course], reconcilers: [slow] }), {
      client: server.client(),
      install: true,
      clock,
      log: silentLogger
    })
    t.after(() => running.stop().catch(() => {}))
    await running.elected
    await server
      .client()
      .of(course)
      .create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    await begun.promise
    server.faults.add({ resource: 'leases', status: 503 })
    // the deadline of the renewal, and nothing of the time for a graceful stop
    await Promise.all([clock.pass(10_000), assert.rejects(running.stopped, /slow has lost its Lease/)])
    goOn.resolve()
    assert.match(String(await written.promise), /slow has lost its Lease/)
    assert.equal(await server.client().of('v1', 'ConfigMap').find('late-algebra'), undefined)
  })

  test('goes on after conflicts, failures and watches that break off', async t => {
    const clock = new FakeClock()
    const server = await portless(t)
    const user = 'operator'
    const running = run(server, { clock, leaderElection: false, client: server.as(user, ['system:masters']) })
    t.after(() => running.stop())
    await running.elected
    const client = server.client()
    for (const rule of [
      { verb: 'create', resource: 'configmaps', status: 409, times: 1 },
      { verb: 'create', resource: 'configmaps', status: 503, times: 2 },
      { resource: 'courses.school.example.com', watch: { do: 'expire' } as const, times: 1 },
      { resource: 'configmaps', watch: { do: 'halfFrame' } as const, times: 1 }
    ])
      server.faults.add({ user, ...rule })
    await client.of(course).create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    const moving = setInterval(() => clock.advance(100), 5)
    t.after(() => clearInterval(moving))
    await until(client, room, ({ data }) => data?.seats === '20', { timeout: 20_000 })
    await client.of(course).patch('algebra', { spec: { seats: 30 } })
    await until(client, room, ({ data }) => data?.seats === '30', { timeout: 20_000 })
    await client.of('v1', 'ConfigMap').delete('room-algebra')
    await until(client, room, ({ data }) => data?.seats === '30', { timeout: 20_000 })
  })

  test('waits for kinds that are not defined yet, tells that it is not ready, and can be stopped meanwhile', async t => {
    const server = await portless(t)
    const warnings: string[] = []
    const log = { ...silentLogger, warn: (line: string) => void warnings.push(line) }
    const start = () => run(server, { install: false, leaderElection: false, log, health: { port: 0 } })
    const given = start()
    await assert.rejects(Promise.all([given.ready, given.stop()]), /was stopped/)
    await given.stopped
    const running = start()
    t.after(() => running.stop())
    while (!running.urls.health) await new Promise(setImmediate)
    const answer = await fetch(`${running.urls.health}/readyz`)
    assert.equal(answer.status, 500)
    assert.match(await answer.text(), /\[-\]caches failed: the objects are not there yet\n.*readyz check failed/s)
    assert.equal((await fetch(`${running.urls.health}/readyz?exclude=caches`)).status, 200)
    assert.match(
      await (await fetch(`${running.urls.health}/healthz?verbose`)).text(),
      /^\[\+\]ping ok\n.*healthz check passed\n$/s
    )
    assert.equal((await fetch(`${running.urls.health}/other`)).status, 404)
    assert.equal((await fetch(`${running.urls.health}/healthz`, { method: 'POST' })).status, 405)
    const served = run(server, { leaderElection: false })
    t.after(() => served.stop())
    await Promise.all([running.ready, running.elected])
    assert.match(
      warnings.join(),
      /operator rooms: cannot follow school.example.com\/v1 Course: the server does not have the kind/
    )
  })

  test('ends with its signal, and with checks of its own', async t => {
    const server = await portless(t)
    const abort = new AbortController()
    const health = { port: 0, ready: { database: () => Promise.reject(new Error('no answer')) }, live: { loop() {} } }
    const running = run(server, { signal: abort.signal, leaderElection: false, health })
    await running.ready
    assert.match(await (await fetch(`${running.urls.health}/readyz/database`)).text(), /database failed: no answer/)
    assert.equal(await (await fetch(`${running.urls.health}/healthz/loop`)).text(), 'ok')
    abort.abort()
    await running.stopped
    const late = run(server, { signal: abort.signal })
    await late.stopped
    await assert.rejects(late.ready)
  })

  test('fails when its port is in use, and refuses options that are wrong', async t => {
    const server = await portless(t)
    const one = run(server, { metrics: { port: 0 }, leaderElection: false })
    t.after(() => one.stop())
    await one.ready
    const port = Number(new URL(one.urls.metrics!).port)
    const two = run(server, { metrics: { port }, leaderElection: false })
    await assert.rejects(two.ready, /cannot listen on 127.0.0.1:\d+: EADDRINUSE/)
    await assert.rejects(two.stopped, /EADDRINUSE/)
    const wrong =
      (options: object, more: object = {}) =>
      () =>
        runOperator({ ...operator, ...more }, { client: server.client(), ...options })
    assert.throws(wrong({ helth: {} }), /unknown option "run.helth"; did you mean health\?/)
    assert.throws(wrong({ metrics: { port: 'x' } }), /run.metrics.port must be a port/)
    assert.throws(wrong({}, { name: 'Rooms' }), /operator.name must be a name of lower-case letters/)
    assert.throws(wrong({}, { reconcilers: [rooms, rooms] }), /two reconcilers have the name "course"/)
    assert.throws(wrong({}, { reconcilers: [{ for: course }] }), /operator.reconcilers\[0\].reconcile must be a function/)
    assert.throws(wrong({}, { webhooks: [{ kind: course }] }), /operator.webhooks\[0\] has neither mutate nor validate/)
    assert.throws(wrong({}, { conversions: [{ kind: course, hub: 'v2', versions: {} }] }), /has no functions for the version v1/)
    assert.throws(wrong({}, { leaderElection: { leaseDuration: 1000 } }), /leaseDuration must be greater than renewDeadline/)
  })
})
