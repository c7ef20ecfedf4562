import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReplicaSet, ReplicaSetSpec } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Pod, ReplicationController } from '../../../apimachinery/api/generated/core-v1.js'
import type { Draft } from '../../../client/stored-types.js'
import { byDispensability, byStage } from '../pods.js'
import { simulatedCluster } from '../testing/simulated.js'

const cluster = simulatedCluster()
const sets = () => cluster.client.of('apps/v1', 'ReplicaSet')
const pods = () => cluster.client.of('v1', 'Pod')
const domain = 'simulate.binnacle.dev'
const templateOf = (name: string, annotations: Record<string, string> = {}) => ({
  metadata: { labels: { app: name }, annotations },
  spec: { containers: [{ name: 'main', image: 'nginx' }] }
})

async function create(name: string, spec: Draft<ReplicaSetSpec> = {}) {
  const whole = { replicas: 3, selector: { matchLabels: { app: name } }, template: templateOf(name), ...spec }
  await sets().create({ metadata: { name }, spec: whole } as Draft<ReplicaSet>)
  await cluster.settle()
}
const podsOf = async (name: string) => (await pods().list({ labelSelector: { app: name } })).items
const namesOf = (list: readonly Pod[]) => list.map(({ metadata }) => metadata.name)

describe('a ReplicaSet', () => {
  test('keeps its number of Pods', async () => {
    await create('steady')
    const [pod] = await podsOf('steady')
    await pods().delete(pod!)
    await cluster.pass(1000)
    const present = await podsOf('steady')
    assert.equal(present.length, 3)
    assert.ok(!namesOf(present).includes(pod?.metadata.name))
    await sets().patch('steady', { spec: { replicas: 1 } })
    await cluster.pass(1000)
    const { status } = await sets().get('steady')
    const one = { replicas: 1, fullyLabeledReplicas: 1, readyReplicas: 1, availableReplicas: 1, terminatingReplicas: 0 }
    assert.deepEqual(status, { ...one, observedGeneration: 2 })
    const events = await cluster.events({ kind: 'ReplicaSet', metadata: { name: 'steady' } })
    const counts = ['SuccessfulCreate', 'SuccessfulDelete'].map(reason => events.filter(event => event.startsWith(reason)).length)
    assert.deepEqual(counts, [4, 2])
  })

  test('replaces Pods that have ended, and counts those that end', async () => {
    await create('ending', { replicas: 1, template: templateOf('ending', { [`${domain}/stops-after`]: '5s' }) })
    const [pod] = await podsOf('ending')
    await pods().delete(pod!)
    await cluster.pass(1000)
    const { replicas, terminatingReplicas } = (await sets().get('ending')).status
    assert.deepEqual([replicas, terminatingReplicas], [1, 1])
    await cluster.pass(5000)
    assert.equal((await sets().get('ending')).status.terminatingReplicas, 0)
  })

  test('adopts Pods that it selects, and releases those that it does not', async () => {
    await pods().create({ metadata: { name: 'orphan', labels: { app: 'adopting' } }, spec: templateOf('adopting').spec })
    await create('adopting', { replicas: 2 })
    const { uid } = (await sets().get('adopting')).metadata
    const owners = async () => (await pods().get('orphan')).metadata.ownerReferences?.map(owner => owner.uid)
    assert.deepEqual([await owners(), (await podsOf('adopting')).length], [[uid], 2])
    await pods().patch('orphan', { metadata: { labels: { app: 'free' } } })
    await cluster.settle()
    assert.deepEqual([await owners(), (await podsOf('adopting')).length], [undefined, 2])
  })

  test('counts Pods as available some time after they are ready', async () => {
    await create('minimum', { minReadySeconds: 10 })
    const available = async () => (await sets().get('minimum')).status.availableReplicas
    assert.equal(await available(), undefined)
    await cluster.pass(9000)
    assert.equal(await available(), undefined)
    await cluster.pass(2000)
    assert.equal(await available(), 3)
  })

  test('deletes first what costs least', async () => {
    await create('costs')
    const [first, second] = await podsOf('costs')
    const cost = (value: string) => ({ metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': value } } })
    await pods().patch(first!, cost('10'))
    await pods().patch(second!, cost('-5'))
    // the controller has seen what they cost
    await cluster.settle()
    await sets().patch('costs', { spec: { replicas: 2 } })
    await cluster.pass(1000)
    assert.ok(!namesOf(await podsOf('costs')).includes(second?.metadata.name))
    await sets().patch('costs', { spec: { replicas: 1 } })
    await cluster.pass(1000)
    assert.deepEqual(namesOf(await podsOf('costs')), [first?.metadata.name])
  })
})

test('a ReplicationController keeps its number of Pods', async () => {
  const controllers = cluster.client.of('v1', 'ReplicationController')
  const spec = { replicas: 2, selector: { app: 'old' }, template: templateOf('old') }
  await controllers.create({ metadata: { name: 'old' }, spec } as Draft<ReplicationController>)
  await cluster.settle()
  const { status } = await controllers.get('old')
  const two = { replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2 }
  assert.deepEqual(status, { ...two, observedGeneration: 1 })
  const [pod] = await podsOf('old')
  assert.equal(pod?.metadata.ownerReferences?.[0]?.kind, 'ReplicationController')
})

describe('the order in which Pods are deleted', () => {
  const now = Date.UTC(2026, 0, 1)
  const pod = (name: string, phase: string, { node = 'n', ready = 0, restarts = 0 } = {}) =>
    ({
      metadata: { name, uid: name, creationTimestamp: '2025-12-31T00:00:00Z' },
      spec: { nodeName: node },
      status: {
        phase,
        containerStatuses: [{ restartCount: restarts }],
        conditions: ready ? [{ type: 'Ready', status: 'True', lastTransitionTime: new Date(now - ready).toISOString() }] : []
      }
    }) as unknown as Pod
  const all = [
    pod('oldest', 'Running', { ready: 1_000_000 }),
    pod('young', 'Running', { ready: 1000 }),
    pod('waiting', 'Pending', { node: '' }),
    pod('restarted', 'Running', { restarts: 3 }),
    pod('unready', 'Running'),
    pod('pending', 'Pending')
  ]
  const expected = ['waiting', 'pending', 'restarted', 'unready', 'young', 'oldest']

  test('begins with those that have come least far', () => {
    assert.deepEqual(namesOf(all.toSorted(byStage)), expected)
    assert.deepEqual(namesOf(all.toSorted(byDispensability(() => 0, now))), expected)
  })

  test('goes on with those on a crowded Node', () => {
    const crowd = new Map([['b', 5]])
    const [a, b] = ['a', 'b'].map(node => pod(node, 'Running', { node, ready: 1000 }))
    const rank = ({ spec }: Pod) => crowd.get(spec.nodeName!) ?? 0
    assert.deepEqual(namesOf([a!, b!].toSorted(byDispensability(rank, now))), ['b', 'a'])
  })
})
