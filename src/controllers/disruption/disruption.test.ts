import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../apimachinery/api/generated/core-v1.js'
import type { PodDisruptionBudget } from '../../apimachinery/api/generated/policy-v1.js'
import { portless, widgets } from '../../client/testing/portless.js'
import { until } from '../../client/until.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { desiredHealthy, disruptedOf, failedStatus, statusOf } from './status.js'

const now = Date.UTC(2026, 0, 1)
const budgetOf = (spec: object, status: object = {}) =>
  ({ metadata: { name: 'web', namespace: 'team', generation: 1 }, spec, status }) as unknown as PodDisruptionBudget
const podOf = (name: string, ready = 'True', more: object = {}) =>
  ({ metadata: { name, ...more }, status: { conditions: [{ type: 'Ready', status: ready }] } }) as unknown as Pod

describe('the status of a PodDisruptionBudget', () => {
  test('counts from what must be there, or from what may be missing', () => {
    assert.equal(desiredHealthy(budgetOf({ minAvailable: 2 }), 5), 2)
    assert.equal(desiredHealthy(budgetOf({ minAvailable: '30%' }), 5), 2)
    assert.equal(desiredHealthy(budgetOf({ maxUnavailable: '30%' }), 5), 3)
    assert.equal(desiredHealthy(budgetOf({ maxUnavailable: 9 }), 5), 0)
  })

  test('allows nothing for no Pods, and counts neither those that go nor those that were evicted', () => {
    const budget = budgetOf({ minAvailable: 0 })
    const empty = statusOf(budget, { pods: [], expected: 0, disrupted: {} }, now)!
    assert.deepEqual([empty.disruptionsAllowed, empty.conditions![0]!.reason], [0, 'InsufficientPods'])
    assert.equal(statusOf(budget, { pods: [podOf('a')], expected: 0, disrupted: {} }, now)!.disruptionsAllowed, 0)
    const pods = [podOf('a'), podOf('b', 'False'), podOf('c', 'True', { deletionTimestamp: 'now' }), podOf('d')]
    const status = statusOf(budget, { pods, expected: 4, disrupted: { d: '2026-01-01T00:00:00Z' } }, now)!
    assert.deepEqual([status.currentHealthy, status.disruptionsAllowed, status.conditions![0]!.status], [1, 1, 'True'])
    assert.equal(
      statusOf(
        { ...budget, status } as PodDisruptionBudget,
        { pods, expected: 4, disrupted: status.disruptedPods as Record<string, string> },
        now + 1
      ),
      undefined
    )
  })

  test('forgets an eviction that nobody follows up within two minutes', () => {
    const disruptedPods = { a: '2026-01-01T00:00:00Z', gone: '2026-01-01T00:00:00Z' }
    const budget = budgetOf({}, { disruptedPods })
    const soon = disruptedOf(budget, [podOf('a'), podOf('__proto__')], now + 120_000)
    assert.deepEqual([soon.pods, soon.late, soon.recheckAt], [{ a: '2026-01-01T00:00:00Z' }, [], now + 120_000])
    const late = disruptedOf(budget, [podOf('a')], now + 120_001)
    assert.deepEqual([late.pods, late.late.length, late.recheckAt], [{}, 1, undefined])
  })

  test('says why it cannot be counted, and is written once', () => {
    const budget = budgetOf({}, { disruptionsAllowed: 3 })
    const status = failedStatus(budget, 'no luck', now)!
    assert.deepEqual([status.disruptionsAllowed, status.conditions![0]!.reason], [0, 'SyncFailed'])
    assert.equal(failedStatus({ ...budget, status } as PodDisruptionBudget, 'no luck', now + 5000), undefined)
  })
})

const template = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] }
})
const budgetNamed = (name: string) =>
  ({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace: 'default' } }) as const

describe('a PodDisruptionBudget in a simulated cluster', () => {
  test('holds back evictions until there are enough Pods again', async t => {
    const clock = new FakeClock()
    const server = await portless(t, { clock, storageBackend: 'memory', simulate: { nodes: 2 } })
    const client = server.client()
    await client.of('policy/v1', 'PodDisruptionBudget').create({
      ...budgetNamed('web'),
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } }
    })
    const slow = {
      ...template('web'),
      metadata: { labels: { app: 'web' }, annotations: { 'simulate.binnacle.dev/ready-after': '30s' } }
    }
    await client.of('apps/v1', 'ReplicaSet').create({
      metadata: { name: 'web' },
      spec: { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: slow }
    })
    const running = () =>
      until(
        client,
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'web', namespace: 'default' } },
        ({ status }) => status.replicas === 3
      )
    await running()
    await clock.pass(5000)
    await clock.pass(31_000)
    const budget = await until(client, budgetNamed('web'), ({ status }) => status.disruptionsAllowed === 1)
    assert.deepEqual([budget.status.expectedPods, budget.status.currentHealthy, budget.status.desiredHealthy], [3, 3, 2])
    const pods = client.of('v1', 'Pod')
    const { items } = await pods.list({ labelSelector: 'app=web' })
    const evict = (pod: (typeof items)[number]) =>
      pods.subresource('eviction').create(pod, { metadata: { name: pod.metadata.name } })
    await evict(items[0]!)
    await until(client, budgetNamed('web'), ({ status }) => status.disruptionsAllowed === 0)
    await assert.rejects(evict(items[1]!), /violate the pod's disruption budget/)
    await clock.pass(5000)
    await clock.pass(31_000)
    await until(client, budgetNamed('web'), ({ status }) => status.disruptionsAllowed === 1)
    await evict(items[1]!)
  })

  test('takes percentages of the scale of any kind that has one', async t => {
    const server = await portless(t, { storageBackend: 'memory', simulate: { nodes: 1 } })
    const client = server.client()
    const crd = widgets()
    const [version] = crd.spec.versions
    const subresources = { scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } }
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    await server.apply([{ ...crd, spec: { ...crd.spec, versions: [{ ...version, schema, subresources }] } }])
    const widget = await client.untyped('example.com/v1', 'Widget').create({ metadata: { name: 'wheel' }, spec: { size: 7 } })
    const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'wheel', uid: widget.metadata.uid!, controller: true }
    const pod = template('wheel')
    await client.of('v1', 'Pod').create({ ...pod, metadata: { ...pod.metadata, name: 'spoke', ownerReferences: [owner] } })
    await client.of('policy/v1', 'PodDisruptionBudget').create({
      ...budgetNamed('wheel'),
      spec: { minAvailable: '50%', selector: { matchLabels: { app: 'wheel' } } }
    })
    const { status } = await until(client, budgetNamed('wheel'), budget => budget.status.expectedPods === 7)
    assert.equal(status.desiredHealthy, 4)
  })

  test('a Pod that was to go and did not is one as others again', async t => {
    const clock = new FakeClock()
    const server = await portless(t, { clock, storageBackend: 'memory', simulate: { nodes: 1 } })
    const pods = server.client().of('v1', 'Pod')
    const pod = await pods.create({ ...template('web'), metadata: { name: 'web' } })
    await clock.pass(1000)
    const condition = {
      type: 'DisruptionTarget',
      status: 'True' as const,
      reason: 'Test',
      lastTransitionTime: '2026-01-01T00:00:01Z'
    }
    await pods.subresource('status').patch(pod, { status: { conditions: [condition] } }, { type: 'strategic' })
    const statusNow = async () =>
      (await pods.get('web')).status.conditions?.find(({ type }) => type === 'DisruptionTarget')?.status
    await clock.pass(119_000)
    assert.equal(await statusNow(), 'True')
    await clock.pass(2000)
    assert.equal(await statusNow(), 'False')
  })
})
