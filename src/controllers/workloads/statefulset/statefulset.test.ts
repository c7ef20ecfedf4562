import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StatefulSet, StatefulSetSpec } from '../../../apimachinery/api/generated/apps-v1.js'
import type { PersistentVolumeClaim } from '../../../apimachinery/api/generated/core-v1.js'
import type { Draft } from '../../../client/stored-types.js'
import { simulatedCluster } from '../testing/simulated.js'

const cluster = simulatedCluster()
const sets = () => cluster.client.of('apps/v1', 'StatefulSet')
const pods = () => cluster.client.of('v1', 'Pod')
const claims = () => cluster.client.of('v1', 'PersistentVolumeClaim')
const revisions = () => cluster.client.of('apps/v1', 'ControllerRevision')
const domain = 'simulate.binnacle.dev'

const slowly = { [`${domain}/ready-after`]: '5s' }
const templateOf = (name: string, image = 'nginx:1', annotations: Record<string, string> = {}) => ({
  metadata: { labels: { app: name }, annotations },
  spec: { containers: [{ name: 'main', image }] }
})

async function create(name: string, spec: Draft<StatefulSetSpec> = {}) {
  const selector = { matchLabels: { app: name } }
  const set = { metadata: { name }, spec: { replicas: 3, serviceName: name, selector, template: templateOf(name), ...spec } }
  await sets().create(set as Draft<StatefulSet>)
  await cluster.settle()
}
const podsOf = async (name: string) => (await pods().list({ labelSelector: { app: name } })).items
const names = async (name: string) => (await podsOf(name)).map(({ metadata }) => metadata.name)
const images = async (name: string) => (await podsOf(name)).map(({ spec }) => spec.containers?.[0]?.image?.split(':')[1])
const setImage = (name: string, image: string, annotations?: Record<string, string>) =>
  sets().patch(name, { spec: { template: templateOf(name, image, annotations) } })
const countsOf = async (name: string) => {
  const { replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas } = (await sets().get(name)).status
  return { replicas, readyReplicas, availableReplicas, currentReplicas, updatedReplicas }
}
const all = (count: number) => ({
  replicas: count,
  readyReplicas: count,
  availableReplicas: count,
  currentReplicas: count,
  updatedReplicas: count
})

describe('a StatefulSet', () => {
  test('creates its Pods one after the other, each when the one before it is ready', async () => {
    await create('ordered', { template: templateOf('ordered', 'nginx:1', slowly) })
    assert.deepEqual(await names('ordered'), ['ordered-0'])
    await cluster.pass(5000)
    assert.deepEqual(await names('ordered'), ['ordered-0', 'ordered-1'])
    await cluster.pass(10_000)
    assert.deepEqual(await countsOf('ordered'), all(3))
    const [pod] = await podsOf('ordered')
    const { status } = await sets().get('ordered')
    assert.deepEqual(pod?.metadata.labels, {
      app: 'ordered',
      'apps.kubernetes.io/pod-index': '0',
      'controller-revision-hash': status.currentRevision,
      'statefulset.kubernetes.io/pod-name': 'ordered-0'
    })
    assert.deepEqual([pod?.spec.hostname, pod?.spec.subdomain], ['ordered-0', 'ordered'])
    assert.deepEqual([status.updateRevision, status.collisionCount, status.observedGeneration], [status.currentRevision, 0, 1])
    const created = [0, 1, 2].map(index => `SuccessfulCreate: Create Pod ordered-${index} in StatefulSet ordered successful`)
    assert.deepEqual(await cluster.events({ kind: 'StatefulSet', metadata: { name: 'ordered' } }), created)
  })

  test('creates all at once, and numbers them from elsewhere, where it may', async () => {
    const template = templateOf('parallel', 'nginx:1', slowly)
    await create('parallel', { podManagementPolicy: 'Parallel', ordinals: { start: 5 }, template })
    assert.deepEqual(await names('parallel'), ['parallel-5', 'parallel-6', 'parallel-7'])
  })

  test('ends its last Pods first, one after the other', async () => {
    await create('shrinking')
    const annotations = { [`${domain}/stops-after`]: '5s' }
    for (const pod of await names('shrinking')) await pods().patch(pod!, { metadata: { annotations } })
    await sets().patch('shrinking', { spec: { replicas: 1 } })
    await cluster.pass(2000)
    const going = (await podsOf('shrinking')).filter(({ metadata }) => metadata.deletionTimestamp)
    assert.deepEqual(
      going.map(({ metadata }) => metadata.name),
      ['shrinking-2']
    )
    await cluster.pass(10_000)
    assert.deepEqual(await names('shrinking'), ['shrinking-0'])
    assert.deepEqual(await countsOf('shrinking'), all(1))
  })

  test('replaces its Pods from the last one on, and remembers what it was', async () => {
    await create('rolling')
    const { currentRevision } = (await sets().get('rolling')).status
    await setImage('rolling', 'nginx:2', slowly)
    await cluster.pass(2000)
    assert.deepEqual(await images('rolling'), ['1', '1', '2'])
    const during = (await sets().get('rolling')).status
    assert.equal(during.currentRevision, currentRevision)
    assert.notEqual(during.updateRevision, currentRevision)
    assert.deepEqual([during.currentReplicas, during.updatedReplicas], [2, 1])
    await cluster.pass(15_000)
    assert.deepEqual(await images('rolling'), ['2', '2', '2'])
    assert.deepEqual(await countsOf('rolling'), all(3))
    const after = (await sets().get('rolling')).status
    assert.equal(after.currentRevision, during.updateRevision)
    const kept = (await revisions().list({ labelSelector: 'app=rolling' })).items
    assert.deepEqual(kept.map(({ revision }) => revision).sort(), [1, 2])
    // back to the first template, which becomes the third revision
    await setImage('rolling', 'nginx:1', { [`${domain}/ready-after`]: null as unknown as string })
    await cluster.pass(3000)
    const back = (await revisions().list({ labelSelector: 'app=rolling' })).items
    assert.deepEqual(back.map(({ revision }) => revision).sort(), [2, 3])
    assert.equal((await sets().get('rolling')).status.currentRevision, currentRevision)
  })

  test('keeps the Pods below a partition, and several may be missing', async () => {
    await create('partitioned', { replicas: 4, updateStrategy: { rollingUpdate: { partition: 2 } } })
    await setImage('partitioned', 'nginx:2')
    await cluster.pass(3000)
    assert.deepEqual(await images('partitioned'), ['1', '1', '2', '2'])
    await pods().delete('partitioned-0')
    await cluster.pass(2000)
    assert.deepEqual(await images('partitioned'), ['1', '1', '2', '2'], 'a Pod below comes back as it was')
    await create('together', { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } })
    await setImage('together', 'nginx:2', { ...slowly })
    await cluster.pass(1000)
    assert.deepEqual(await images('together'), ['1', '2'], 'the third waits for the second to be ready')
  })

  test('leaves the replacement to others with OnDelete', async () => {
    await create('on-delete', { updateStrategy: { type: 'OnDelete' } })
    await setImage('on-delete', 'nginx:2')
    await cluster.pass(1000)
    assert.deepEqual(await images('on-delete'), ['1', '1', '1'])
    await pods().delete('on-delete-1')
    await cluster.pass(1000)
    assert.deepEqual(await images('on-delete'), ['1', '2', '1'])
  })

  test('counts Pods as available some time after they are ready', async () => {
    await create('minimum', { replicas: 2, minReadySeconds: 10 })
    assert.deepEqual(await names('minimum'), ['minimum-0'])
    assert.deepEqual((await countsOf('minimum')).availableReplicas, 0)
    await cluster.pass(11_000)
    assert.deepEqual(await names('minimum'), ['minimum-0', 'minimum-1'])
    await cluster.pass(11_000)
    assert.deepEqual(await countsOf('minimum'), all(2))
  })

  test('makes a Pod anew that has failed', async () => {
    await create('failing', { replicas: 1 })
    const [pod] = await podsOf('failing')
    await pods()
      .subresource('status')
      .patch(pod!, { status: { phase: 'Failed' } })
    await cluster.pass(1000)
    const [next] = await podsOf('failing')
    assert.notEqual(next?.metadata.uid, pod?.metadata.uid)
    assert.deepEqual(await countsOf('failing'), all(1))
  })

  test('has claims, which stay or go with it', async () => {
    const template = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    }
    const volumeClaimTemplates = [template as unknown as PersistentVolumeClaim]
    await create('keeping', { replicas: 2, volumeClaimTemplates, podManagementPolicy: 'Parallel' })
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Delete' }
    await create('clearing', {
      replicas: 2,
      volumeClaimTemplates,
      persistentVolumeClaimRetentionPolicy,
      podManagementPolicy: 'Parallel'
    })
    const claimsOf = async (app: string) => (await claims().list({ labelSelector: { app } })).items
    const [kept] = await claimsOf('keeping')
    assert.deepEqual([kept?.metadata.name, kept?.metadata.ownerReferences], ['data-keeping-0', undefined])
    const volumes = (await podsOf('keeping'))[1]!.spec.volumes!
    assert.deepEqual(volumes[0], { name: 'data', persistentVolumeClaim: { claimName: 'data-keeping-1' } })
    const events = await cluster.events({ kind: 'StatefulSet', metadata: { name: 'keeping' } })
    assert.ok(events.includes('SuccessfulCreate: Create Claim data-keeping-0 Pod keeping-0 in StatefulSet keeping success'))
    const [own] = await claimsOf('clearing')
    assert.deepEqual(
      own?.metadata.ownerReferences?.map(({ kind, name }) => [kind, name]),
      [['StatefulSet', 'clearing']]
    )
    for (const name of ['keeping', 'clearing']) await sets().patch(name, { spec: { replicas: 1 } })
    await cluster.pass(3000)
    assert.deepEqual((await claimsOf('keeping')).length, 2)
    assert.deepEqual(
      (await claimsOf('clearing')).filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name),
      ['data-clearing-0']
    )
  })

  test('adopts Pods and revisions that it has lost', async () => {
    await create('orphans', { replicas: 1 })
    const [pod] = await podsOf('orphans')
    await sets().delete('orphans', { propagationPolicy: 'Orphan' })
    await cluster.pass(1000)
    assert.equal((await podsOf('orphans'))[0]?.metadata.ownerReferences, undefined)
    await create('orphans', { replicas: 1 })
    await cluster.pass(1000)
    const { uid } = (await sets().get('orphans')).metadata
    const [adopted] = await podsOf('orphans')
    assert.deepEqual([adopted?.metadata.uid, adopted?.metadata.ownerReferences?.[0]?.uid], [pod?.metadata.uid, uid])
    const found = (await revisions().list({ labelSelector: 'app=orphans' })).items
    assert.deepEqual(
      found.map(({ metadata }) => metadata.ownerReferences?.[0]?.uid),
      [uid]
    )
  })

  test('forgets revisions beyond its limit', async () => {
    await create('short-memory', { replicas: 1, revisionHistoryLimit: 1 })
    for (const version of [2, 3, 4]) {
      await setImage('short-memory', `nginx:${version}`)
      await cluster.pass(2000)
    }
    const found = (await revisions().list({ labelSelector: 'app=short-memory' })).items
    assert.deepEqual(found.map(({ revision }) => revision).sort(), [3, 4])
  })
})
