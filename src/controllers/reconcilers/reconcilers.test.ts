import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portless } from '../../client/testing/portless.js'
import { defineKind, defineReconciler, type KubeObject, kindRef, type Reconciler, until } from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'

interface Course extends KubeObject {
  spec: { seats: number }
}
const course = defineKind<Course>({
  group: 'school.example.com',
  kind: 'Course',
  resource: 'courses',
  versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }]
})
const configMaps = kindRef('v1', 'ConfigMap')

/** Keeps a ConfigMap with the seats of each course. */
const rooms = defineReconciler({
  for: course,
  owns: [configMaps],
  async reconcile({ apiVersion, kind, metadata, spec }, { client }) {
    const { name, namespace, uid } = metadata
    const owner = { apiVersion: apiVersion!, kind: kind!, name: name!, uid: uid!, controller: true }
    const room = { metadata: { name: `room-${name}`, namespace, ownerReferences: [owner] }, data: { seats: String(spec.seats) } }
    await client.of(configMaps).apply(room, { force: true })
  }
})
const roomOf = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `room-${name}` } }) as const
const withSeats = (seats: number) => (map: { data?: Record<string, string> | undefined }) => map.data?.seats === String(seats)

describe('a reconciler', () => {
  test('runs for its objects, and for what they own', async t => {
    const server = await portless(t, { kinds: [course], reconcilers: [rooms] })
    const client = server.client()
    await client.of(course).create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    await until(client, roomOf('algebra'), withSeats(20))
    await client.of(course).patch('algebra', { spec: { seats: 30 } })
    const room = await until(client, roomOf('algebra'), withSeats(30))
    assert.equal(room.metadata.managedFields?.[0]?.manager, 'course')
    await client.of(configMaps).patch('room-algebra', { data: { seats: '1' } })
    await until(client, roomOf('algebra'), withSeats(30))
    await client.of(configMaps).delete('room-algebra')
    await until(client, roomOf('algebra'), withSeats(30))
  })

  test('runs in forks, and goes on after a restore', async t => {
    const server = await portless(t, { kinds: [course], reconcilers: [rooms] })
    const snapshot = await server.snapshot()
    const fork = await snapshot.fork()
    t.after(() => fork.stop())
    await server.restore(snapshot)
    for (const each of [server, fork]) {
      await each
        .client()
        .of(course)
        .create({ metadata: { name: 'botany' }, spec: { seats: 10 } })
      await until(each.client(), roomOf('botany'), withSeats(10))
    }
    assert.equal((await server.client().of('v1', 'ConfigMap').find('room-algebra')) ?? 'none', 'none')
  })

  test('tries again after a failure, which is logged and counted, and after requeueAfter, by the server’s clock', async t => {
    const clock = new FakeClock()
    const lines: string[] = []
    const log = { error: (line: string) => void lines.push(line), warn() {}, info() {} }
    let calls = 0
    let called = () => {}
    const unsteady: Reconciler<Course> = {
      name: 'unsteady',
      for: course,
      reconcile() {
        calls++
        called()
        if (calls === 1) throw new Error('not yet')
        return calls === 2 ? { requeueAfter: 60_000 } : undefined
      }
    }
    const times = async (count: number) => {
      while (calls < count) await new Promise<void>(resolve => (called = resolve))
      await new Promise(resolve => setImmediate(resolve))
    }
    const server = await portless(t, { clock, log, kinds: [course], reconcilers: [unsteady] })
    const alive = setInterval(() => {}, 1000)
    t.after(() => clearInterval(alive))
    await server
      .client()
      .of(course)
      .create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    await times(1)
    assert.match(lines.join('\n'), /controller unsteady: default\/algebra: Error: not yet/)
    clock.advance(50)
    await times(2)
    clock.advance(59_999)
    await new Promise(resolve => setImmediate(resolve))
    assert.equal(calls, 2)
    clock.advance(1)
    await times(3)
    const metrics = (await server.client().request({ url: '/metrics' })).body.toString()
    assert.match(metrics, /workqueue_retries_total\{name="unsteady"\} 1/)
  })

  test('acts as the user that it is given', async t => {
    let failed = (_: unknown) => {}
    const failure = new Promise(resolve => (failed = resolve))
    const poor: Reconciler<Course> = {
      for: course,
      user: { name: 'poor' },
      async reconcile() {}
    }
    const log = { error() {}, warn: (line: string) => line.includes('reconciler course') && failed(line), info() {} }
    await portless(t, { kinds: [course], log, reconcilers: [poor] })
    assert.match(String(await failure), /cannot follow .* Course: .*User "poor" cannot list resource "courses"/)
  })

  test('ends before the server has stopped', async t => {
    let ended = false
    let began = () => {}
    const running = new Promise<void>(resolve => (began = resolve))
    const slow: Reconciler<Course> = {
      for: course,
      async reconcile(_, { signal }) {
        began()
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        ended = true
      }
    }
    const server = await portless(t, { kinds: [course], reconcilers: [slow] })
    await server
      .client()
      .of(course)
      .create({ metadata: { name: 'algebra' }, spec: { seats: 20 } })
    await running
    await server.stop()
    assert.ok(ended)
  })
})
