import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { portless } from '../../client/testing/portless.js'
import { type BinnacleServer, until } from '../../index.js'
import { eventually } from '../../testkit/eventually.js'
import { FakeClock } from '../../testkit/fake-clock.js'

const deployment = (name: string, replicas = 2) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }
  }
})

const readyIn = async (server: BinnacleServer, name: string, count: number) => {
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } } as const
  return until(server.client(), object, ({ status }) => (status.readyReplicas ?? 0) === count)
}

// tests wait for events, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

describe('a simulated cluster', () => {
  test('has Nodes, on which Deployments become ready', async t => {
    const server = await portless(t, { simulate: { nodes: 2, nodeCapacity: { cpu: '4' } } })
    const nodes = await server.client().of('v1', 'Node').list()
    assert.deepEqual(
      nodes.items.map(({ metadata, status }) => [metadata.name, status.capacity?.cpu, status.capacity?.memory]),
      [
        ['node-0', '4', '32Gi'],
        ['node-1', '4', '32Gi']
      ]
    )
    await server.client().of('apps/v1', 'Deployment').create(deployment('web'))
    await readyIn(server, 'web', 2)
  })

  test('is carried by snapshots and forks', async t => {
    const server = await portless(t, { simulate: { nodes: 1 } })
    await server.client().of('apps/v1', 'Deployment').create(deployment('web'))
    await readyIn(server, 'web', 2)
    const fork = await (await server.snapshot()).fork()
    t.after(() => fork.stop())
    await readyIn(fork, 'web', 2)
    await fork
      .client()
      .of('apps/v1', 'Deployment')
      .patch('web', { spec: { replicas: 3 } })
    await readyIn(fork, 'web', 3)
    const { items } = await fork.client().of('v1', 'Pod').list()
    const addresses = items.map(({ status }) => status.podIP)
    assert.equal(new Set(addresses).size, 3, `addresses ${addresses}`)
    assert.equal((await server.client().of('v1', 'Pod').list()).items.length, 2)
  })

  test('lives by the clock of the server, the same each time', async t => {
    const run = async () => {
      const clock = new FakeClock()
      const server = await portless(t, { clock, seed: 'once', simulate: { nodes: 1 } })
      const pods = server.client().of('v1', 'Pod')
      const annotations = { 'simulate.binnacle.dev/exits-after': '30s', 'simulate.binnacle.dev/exit-code': '1' }
      await pods.create({ metadata: { name: 'crashing', annotations }, spec: { containers: [{ name: 'web', image: 'nginx' }] } })
      await clock.pass(60 * 60 * 1000)
      const { status } = await pods.get('crashing')
      const { metadata } = await server
        .client()
        .of('coordination.k8s.io/v1', 'Lease')
        .get({ metadata: { name: 'node-0', namespace: 'kube-node-lease' } })
      const events = (await server.client().of('v1', 'Event').list()).items.map(event => [
        event.metadata.name,
        event.reason,
        event.count
      ])
      return { status, metadata: { ...metadata, managedFields: undefined }, events }
    }
    const first = await run()
    assert.ok(first.status.containerStatuses![0]!.restartCount > 10, JSON.stringify(first.status.containerStatuses))
    assert.ok(first.events.length > 5, JSON.stringify(first.events))
    assert.deepEqual(await run(), first)
  })

  test('writes of the heartbeats of a long walk only those that can be seen', async t => {
    const clock = new FakeClock()
    const server = await portless(t, { clock, simulate: { nodes: 2 } })
    const leases = server.client().of('coordination.k8s.io/v1', 'Lease')
    using informer = leases.informer({ namespace: 'kube-node-lease' })
    await informer.synced
    let renewals = 0
    informer.on('update', () => renewals++)
    const renewedAt = (node: string) => Date.parse(informer.get(node)?.spec?.renewTime ?? '')
    const silent = { metadata: { annotations: { 'simulate.binnacle.dev/silent': 'true' } } }
    const began = clock.now()
    clock.setTimeout(() => void server.client().of('v1', 'Node').patch('node-1', silent), 125_000)
    await clock.pass(60 * 60 * 1000)
    const { status } = await server.client().of('v1', 'Node').get('node-1')
    assert.equal(status.conditions?.find(({ type }) => type === 'Ready')?.status, 'Unknown')
    assert.ok(clock.now() - renewedAt('node-0') <= 10_000, 'the last renewal of a Node that lives')
    const last = renewedAt('node-1') - began
    assert.ok(last > 110_000 && last <= 125_000, `the last renewal of a Node that has fallen silent: ${last} ms`)
    assert.ok(renewals < 10, `${renewals} renewals`)
  })

  test('runs without controllers that are switched off, and without Nodes', async t => {
    const server = await portless(t, { simulate: { nodes: 0 }, controllers: ['*', '-replicaset'] })
    await server.client().of('apps/v1', 'Deployment').create(deployment('web'))
    const list = async () => (await server.client().of('apps/v1', 'ReplicaSet').list()).items
    const sets = await eventually('the Deployment has a ReplicaSet', list, items => items.length === 1)
    assert.equal(sets[0]!.status.replicas, 0)
    assert.equal((await server.client().of('v1', 'Node').list()).items.length, 0)
  })

  test('is refused with options that it has not', async t => {
    await assert.rejects(portless(t, { simulate: { nodes: -1 } }), /simulate.nodes/)
    await assert.rejects(portless(t, { simulate: { node: 1 } } as object), /simulate.*node/)
  })
})
