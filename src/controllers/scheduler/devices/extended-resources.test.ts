/** Extended resources that devices provide, in a simulated cluster: from the Pod to its claim, and back. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { portless } from '../../../client/testing/portless.js'
import { kindRef, until } from '../../../index.js'
import { eventually } from '../../../testkit/eventually.js'
import { FakeClock } from '../../../testkit/fake-clock.js'

const driver = 'gpu.example.com'
const gpu = 'example.com/gpu'
const patient = { timeout: 20_000 }

async function start(t: TestContext, device: object = {}) {
  const clock = new FakeClock()
  const server = await portless(t, { clock, seed: 'extended', simulate: { nodes: 1 } })
  const client = server.client()
  const claims = client.of(kindRef('resource.k8s.io/v1', 'ResourceClaim'))
  const pods = client.of(kindRef('v1', 'Pod'))
  const provide = () =>
    client
      .of(kindRef('resource.k8s.io/v1', 'DeviceClass'))
      .create({ metadata: { name: 'gpus' }, spec: { extendedResourceName: gpu } })
  const pool = { name: 'node-0', generation: 1, resourceSliceCount: 1 }
  await client.of(kindRef('resource.k8s.io/v1', 'ResourceSlice')).create({
    metadata: { name: 'node-0' },
    spec: { driver, nodeName: 'node-0', pool, devices: [{ name: 'gpu0', ...device }] }
  } as never)
  const create = (name: string) =>
    pods.create({
      metadata: { name, annotations: { 'simulate.binnacle.dev/exits-after': '60s' } },
      spec: {
        restartPolicy: 'Never',
        containers: [{ name: 'main', image: 'main', resources: { limits: { [gpu]: '1' } } }]
      }
    })
  const pod = (name: string, isIt: (pod: any) => boolean): Promise<any> =>
    until(client, { apiVersion: 'v1', kind: 'Pod', metadata: { name } }, isIt, patient)
  const says = (text: string) => (given: object) => JSON.stringify(given).includes(text)
  return { clock, client, claims, pods, provide, create, pod, says }
}

const isRunning = ({ status }: any) => status.phase === 'Running'

test('a Pod gets a claim for its extended resources, and the next one its devices when it has ended', async t => {
  const { clock, claims, provide, create, pod, says } = await start(t)
  await create('one')
  await pod('one', says('0/1 nodes are available: 1 Insufficient example.com/gpu.'))
  await provide()
  await clock.pass(15_000)
  const { metadata, status } = await pod('one', isRunning)
  const [claim] = (await claims.list()).items
  assert.match(claim!.metadata.name!, /^one-extended-resources-[a-z0-9]{5}$/)
  assert.deepEqual(claim!.metadata.annotations, { 'resource.kubernetes.io/extended-resource-claim': 'true' })
  assert.deepEqual(claim!.metadata.ownerReferences, [
    { apiVersion: 'v1', kind: 'Pod', name: 'one', uid: metadata.uid, controller: true }
  ])
  const requestName = 'container-0-request-0'
  assert.deepEqual(claim!.status.allocation!.devices.results, [{ request: requestName, driver, pool: 'node-0', device: 'gpu0' }])
  assert.deepEqual(claim!.status.reservedFor, [{ resource: 'pods', name: 'one', uid: metadata.uid }])
  assert.deepEqual(status.extendedResourceClaimStatus, {
    requestMappings: [{ containerName: 'main', resourceName: gpu, requestName }],
    resourceClaimName: claim!.metadata.name
  })

  await create('two')
  await pod('two', says('0/1 nodes are available: 1 cannot allocate all claims.'))
  await clock.pass(65_000)
  const next = await pod('two', isRunning)
  const left = (await claims.list()).items
  assert.deepEqual(
    left.map(({ metadata, status }) => [metadata.ownerReferences![0]!.uid, status.reservedFor![0]!.uid]),
    [[next.metadata.uid, next.metadata.uid]]
  )
})

test('the claim is deleted when the Pod cannot be bound', async t => {
  const { clock, claims, provide, create, pod, says } = await start(t, {
    bindingConditions: ['ready'],
    bindingFailureConditions: ['broken']
  })
  await provide()
  await create('one')
  const waiting = await pod('one', ({ status }) => !!status.extendedResourceClaimStatus)
  const { resourceClaimName } = waiting.status.extendedResourceClaimStatus
  const since = '2026-01-01T00:00:00Z'
  const condition = { type: 'broken', status: 'True', reason: 'Told', message: 'by the driver', lastTransitionTime: since }
  const devices = [{ driver, pool: 'node-0', device: 'gpu0', conditions: [condition] }]
  await claims.subresource('status').patch(resourceClaimName, { status: { devices } } as never)
  await pod('one', says('device binding failed: claim=one-extended-resources-'))
  await eventually(
    'the claim is gone',
    () => claims.find(resourceClaimName),
    found => found === undefined
  )
  await clock.pass(15_000)
  const again = await pod('one', ({ status }) => status.extendedResourceClaimStatus.resourceClaimName !== resourceClaimName)
  assert.equal(again.spec.nodeName, undefined)
})
