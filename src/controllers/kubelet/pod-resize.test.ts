import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { simulatedCluster } from '../workloads/testing/simulated.js'

const cluster = simulatedCluster({ simulate: { nodes: 1, nodeCapacity: { cpu: '4', memory: '8Gi' } } })

const pods = () => cluster.client.of('v1', 'Pod')
const make = async (name: string, cpu: string, annotations: Record<string, string> = {}, priority = {}) => {
  const resources = { requests: { cpu, memory: '1Gi' } }
  await pods().create({
    metadata: { name, annotations },
    spec: { ...priority, terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'i', resources }] }
  })
  await cluster.settle()
}
const resize = async (name: string, cpu: string) => {
  const patch = { spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] } }
  await pods()
    .subresource('resize')
    .patch(name, patch as never, { type: 'strategic' })
  await cluster.settle()
}
const remove = async (name: string) => {
  await pods().delete(name)
  await cluster.settle()
}
/** The request that the container has, and what the Pod says of its resize. */
const stateOf = async (name: string) => {
  const { status } = await pods().get(name)
  const conditions = (status.conditions ?? []).filter(({ type }) => type.startsWith('PodResize'))
  const { resources, allocatedResources } = status.containerStatuses![0]!
  return [
    resources?.requests?.cpu,
    allocatedResources?.cpu,
    ...conditions.map(({ type, reason, message }) => [type, reason, message].filter(Boolean).join(': '))
  ]
}
const eventsOf = async (name: string) =>
  (await cluster.events({ kind: 'Pod', metadata: { name } }))
    .filter(text => text.startsWith('Resize'))
    .map(text => text.split(':')[0])

describe('a change of the resources of a Pod', () => {
  test('happens at once where there is room', async () => {
    await make('a', '1')
    await resize('a', '2')
    assert.deepEqual(await stateOf('a'), ['2', '2'])
    assert.deepEqual(await eventsOf('a'), ['ResizeStarted', 'ResizeCompleted'])
  })

  test('waits for room, for which the scheduler lets no other Pod in', async () => {
    await make('b', '1')
    await resize('b', '3')
    const pending =
      "PodResizePending: Deferred: Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000"
    assert.deepEqual(await stateOf('b'), ['1', '1', pending])
    assert.deepEqual(await eventsOf('b'), ['ResizeDeferred'])
    const { items } = await cluster.client.of('v1', 'Event').list()
    const event = items.find(({ reason }) => reason === 'ResizeDeferred')!
    assert.equal(
      event.message,
      `Pod resize Deferred: {"containers":[{"name":"c","resources":{"requests":{"cpu":"3","memory":"1Gi"}}}],"generation":2,"error":"Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000"}`
    )
    await make('other', '500m')
    assert.equal((await pods().get('other')).status.phase, 'Pending')
    await remove('other')
    await remove('a')
    assert.deepEqual(await stateOf('b'), ['3', '3'])
    assert.deepEqual(await eventsOf('b'), ['ResizeDeferred', 'ResizeStarted', 'ResizeCompleted'])
    await remove('b')
  })

  test('waits no longer when it is taken back', async () => {
    await make('a', '3')
    await make('b', '500m')
    await resize('b', '2')
    assert.equal((await stateOf('b')).length, 3)
    await resize('b', '500m')
    assert.deepEqual(await stateOf('b'), ['500m', '500m'])
    await remove('a')
    await remove('b')
  })

  test('is granted to one of those that wait, the most important first', async () => {
    await cluster.client.of('scheduling.k8s.io/v1', 'PriorityClass').create({ metadata: { name: 'high' }, value: 100 })
    await make('big', '2')
    await make('low', '500m')
    await make('high', '500m', {}, { priorityClassName: 'high' })
    await resize('low', '3')
    await resize('high', '3')
    await remove('big')
    assert.deepEqual((await stateOf('high')).slice(0, 2), ['3', '3'])
    assert.match(String((await stateOf('low'))[2]), /requested: 3000, used: 3000/)
    await remove('high')
    assert.deepEqual(await stateOf('low'), ['3', '3'])
    await remove('low')
  })

  test('takes its time where that is declared', async () => {
    await make('slow', '1', { 'simulate.binnacle.dev/resizes-after': '10s' })
    await resize('slow', '2')
    assert.deepEqual(await stateOf('slow'), ['1', '2', 'PodResizeInProgress'])
    await cluster.pass(11_000)
    assert.deepEqual(await stateOf('slow'), ['2', '2'])
    assert.deepEqual(await eventsOf('slow'), ['ResizeStarted', 'ResizeCompleted'])
    await remove('slow')
  })

  test('is infeasible where the Node says so', async () => {
    const nodes = cluster.client.of('v1', 'Node')
    const refused = (text: string | null) =>
      nodes.patch('node-0', { metadata: { annotations: { 'simulate.binnacle.dev/resize-refused': text } } } as object)
    await refused('no resizes on this Node')
    await make('fixed', '1')
    await resize('fixed', '2')
    assert.deepEqual(await stateOf('fixed'), ['1', '1', 'PodResizePending: Infeasible: no resizes on this Node'])
    assert.deepEqual(await eventsOf('fixed'), ['ResizeInfeasible'])
    // the scheduler does not count what will not come
    await make('beside', '2500m')
    assert.equal((await pods().get('beside')).status.phase, 'Running')
  })
})
