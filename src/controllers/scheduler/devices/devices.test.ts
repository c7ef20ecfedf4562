/** Claims for devices in a simulated cluster: from the template to the Pod that runs, and back. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { portless } from '../../../client/testing/portless.js'
import { kindRef, until } from '../../../index.js'
import { FakeClock } from '../../../testkit/fake-clock.js'

const driver = 'gpu.example.com'
const patient = { timeout: 20_000 }
const unhelpful = 'preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.'

test('a Pod waits for its claim, gets devices, and gives them back', async t => {
  const clock = new FakeClock()
  const server = await portless(t, { clock, seed: 'devices', simulate: { nodes: 2 } })
  const client = server.client()
  const claims = client.of(kindRef('resource.k8s.io/v1', 'ResourceClaim'))
  const pods = client.of(kindRef('v1', 'Pod'))
  await client.of(kindRef('resource.k8s.io/v1', 'DeviceClass')).create({ metadata: { name: 'gpu' }, spec: {} })
  const pod = (name: string) => ({
    metadata: { name },
    spec: {
      containers: [{ name: 'main', image: 'main' }],
      resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpu' }]
    }
  })
  await pods.create(pod('one'))
  const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }]
  await client
    .of(kindRef('resource.k8s.io/v1', 'ResourceClaimTemplate'))
    .create({ metadata: { name: 'gpu' }, spec: { spec: { devices: { requests } } } })
  const that = (name: string) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } }) as const
  const message = (text: string) => (given: object) => JSON.stringify(given).includes(`0/2 nodes are available: 2 ${text}`)
  await until(client, that('one'), message('cannot allocate all claims'), patient)
  await client.of(kindRef('resource.k8s.io/v1', 'ResourceSlice')).create({
    metadata: { name: 'node-1' },
    spec: {
      driver,
      nodeName: 'node-1',
      pool: { name: 'node-1', generation: 1, resourceSliceCount: 1 },
      devices: [{ name: 'gpu0' }]
    }
  })
  await clock.pass(10_000)
  const running = await until(client, that('one'), ({ status }) => status.phase === 'Running', patient)
  assert.equal(running.spec.nodeName, 'node-1')
  const [claim] = (await claims.list()).items
  assert.deepEqual(claim!.status.allocation!.devices.results, [{ request: 'gpu', driver, pool: 'node-1', device: 'gpu0' }])
  assert.deepEqual(claim!.status.allocation!.nodeSelector?.nodeSelectorTerms, [
    { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }
  ])
  assert.deepEqual(claim!.status.reservedFor, [{ resource: 'pods', name: 'one', uid: running.metadata.uid }])
  assert.deepEqual(claim!.metadata.finalizers, ['resource.kubernetes.io/delete-protection'])

  await pods.create(pod('two'))
  await until(client, that('two'), message('cannot allocate all claims'), patient)
  await pods.delete('one')
  await clock.pass(60_000)
  const next = await until(client, that('two'), ({ status }) => status.phase === 'Running', patient)
  const left = (await claims.list()).items
  assert.deepEqual(
    left.map(({ status }) => status.reservedFor?.[0]?.uid),
    [next.metadata.uid]
  )
})

describe('devices that are made ready after they have been chosen', () => {
  const conditions = { bindingConditions: ['ready'], bindingFailureConditions: ['broken'] }

  async function start(t: TestContext, devices: readonly object[]) {
    const clock = new FakeClock()
    const server = await portless(t, { clock, seed: 'devices', simulate: { nodes: 1 } })
    const client = server.client()
    const claims = client.of(kindRef('resource.k8s.io/v1', 'ResourceClaim'))
    await client.of(kindRef('resource.k8s.io/v1', 'DeviceClass')).create({ metadata: { name: 'gpu' }, spec: {} })
    const pool = { name: 'fabric', generation: 1, resourceSliceCount: 1 }
    await client
      .of(kindRef('resource.k8s.io/v1', 'ResourceSlice'))
      .create({ metadata: { name: 'fabric' }, spec: { driver, allNodes: true, pool, devices } } as never)
    const requests = [{ name: 'gpu', exactly: { deviceClassName: 'gpu' } }]
    await claims.create({ metadata: { name: 'gpu' }, spec: { devices: { requests } } })
    await client.of(kindRef('v1', 'Pod')).create({
      metadata: { name: 'web' },
      spec: {
        containers: [{ name: 'main', image: 'main' }],
        resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }]
      }
    })
    const that = (kind: string, name: string, apiVersion = 'v1') => ({ apiVersion, kind, metadata: { name } }) as never
    /** Waits until the claim has the device, and returns what its status says. */
    const has = async (device: string) => {
      const isIt = ({ status }: any) => status.allocation?.devices.results[0].device === device && !!status.reservedFor
      const found: any = await until(client, that('ResourceClaim', 'gpu', 'resource.k8s.io/v1'), isIt, patient)
      return found.status
    }
    /** What the driver says of the device. */
    const say = (device: string, type: string) => {
      const condition = {
        type,
        status: 'True',
        reason: 'Told',
        message: 'by "the" driver',
        lastTransitionTime: '2026-01-01T00:00:00Z'
      }
      const status = { devices: [{ driver, pool: 'fabric', device, conditions: [condition] }] }
      return claims.subresource('status').patch('gpu', { status } as never)
    }
    const pod = (isIt: (pod: any) => boolean): Promise<any> => until(client, that('Pod', 'web'), isIt, patient)
    const message = (pattern: RegExp) => pod(({ status }) => pattern.test(JSON.stringify(status.conditions ?? '')))
    const isRunning = ({ status }: any) => status.phase === 'Running'
    return { clock, client, has, say, pod, message, isRunning }
  }

  test('keep their Pod waiting until they are ready', async t => {
    const { clock, client, has, say, pod, isRunning } = await start(t, [{ name: 'gpu0', ...conditions, bindsToNode: true }])
    const { allocation } = await has('gpu0')
    assert.deepEqual(allocation.devices.results, [{ request: 'gpu', driver, pool: 'fabric', device: 'gpu0', ...conditions }])
    const [term] = allocation.nodeSelector.nodeSelectorTerms
    assert.deepEqual(term, { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-0'] }] })
    await clock.pass(500_000)
    assert.equal((await pod(() => true)).spec.nodeName, undefined)
    const events = (await client.of(kindRef('v1', 'Event')).list()).items
    assert.deepEqual(
      events.filter(({ reason }) => reason === 'BindingConditionsPending').map(event => event.message),
      ['waiting for binding conditions for device on node node-0']
    )
    await say('gpu0', 'ready')
    await clock.pass(10_000)
    await pod(isRunning)
  })

  test('that fail are given back, and others are chosen', async t => {
    const { clock, has, say, pod, message, isRunning } = await start(t, [{ name: 'gpu0', ...conditions }])
    await has('gpu0')
    await say('gpu0', 'broken')
    await message(/PreBind plugin ..DynamicResources..: device binding failed: claim=gpu, reason=Told, message=/)
    await clock.pass(20_000)
    // it is allocated anew, and the driver may make it ready this time
    const status = await has('gpu0')
    assert.equal(status.devices, undefined)
    await say('gpu0', 'ready')
    await clock.pass(10_000)
    await pod(isRunning)
  })

  test('that take too long are given back', async t => {
    const { clock, client, has } = await start(t, [{ name: 'gpu0', ...conditions }])
    const first = (await has('gpu0')).allocation.allocationTimestamp
    await clock.pass(630_000)
    const events = (await client.of(kindRef('v1', 'Event')).list()).items
    const notes = events.filter(({ reason }) => reason === 'FailedScheduling').map(event => event.message)
    assert.deepEqual(notes, [
      'running PreBind plugin "DynamicResources": device binding timeout: claim=gpu',
      `0/1 nodes are available: 1 resourceclaim not available on the node. deallocation of ResourceClaim completed, ${unhelpful}`
    ])
    assert.notEqual((await has('gpu0')).allocation.allocationTimestamp, first)
  })

  test('come after those that are ready', async t => {
    const ready = { name: 'gpu1' }
    const { clock, client, has, pod, isRunning } = await start(t, [{ name: 'gpu0', ...conditions }])
    await has('gpu0')
    const other = { name: 'ready', generation: 1, resourceSliceCount: 1 }
    await client
      .of(kindRef('resource.k8s.io/v1', 'ResourceSlice'))
      .create({ metadata: { name: 'ready' }, spec: { driver, allNodes: true, pool: other, devices: [ready] } } as never)
    await clock.pass(630_000)
    await has('gpu1')
    await clock.pass(10_000)
    await pod(isRunning)
  })
})
