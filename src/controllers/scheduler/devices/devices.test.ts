/** Claims for devices in a simulated cluster: from the template to the Pod that runs, and back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portless } from '../../../client/testing/portless.js'
import { kindRef, until } from '../../../index.js'
import { FakeClock } from '../../../testkit/fake-clock.js'

const driver = 'gpu.example.com'
const patient = { timeout: 20_000 }

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
