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
})
