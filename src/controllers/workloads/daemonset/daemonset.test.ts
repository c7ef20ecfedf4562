import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DaemonSet, DaemonSetSpec } from '../../../apimachinery/api/generated/apps-v1.js'
import type { PodSpec, Taint } from '../../../apimachinery/api/generated/core-v1.js'
import type { Draft } from '../../../client/stored-types.js'
import { simulatedCluster } from '../testing/simulated.js'

// a new Node has a taint, which goes when it is seen to be ready
const cluster = simulatedCluster({}, async () => {
  for (const node of ['node-0', 'node-1', 'node-2']) await taint(node, [])
})
const sets = () => cluster.client.of('apps/v1', 'DaemonSet')
const pods = () => cluster.client.of('v1', 'Pod')
const nodes = () => cluster.client.of('v1', 'Node')
const domain = 'simulate.binnacle.dev'
const slowly = { [`${domain}/ready-after`]: '5s' }

const templateOf = (name: string, image: string, annotations: Record<string, string> = {}, spec: Draft<PodSpec> = {}) => ({
  metadata: { labels: { app: name }, annotations },
  spec: { ...spec, containers: [{ name: 'main', image }] }
})

interface Wanted {
  readonly strategy?: Draft<DaemonSetSpec['updateStrategy']>
  readonly pod?: Draft<PodSpec>
  readonly annotations?: Record<string, string>
  readonly minReadySeconds?: number
}

async function create(name: string, { strategy, pod, annotations, minReadySeconds }: Wanted = {}) {
  const template = templateOf(name, 'nginx:1', annotations, pod)
  const spec = { selector: { matchLabels: { app: name } }, template, updateStrategy: strategy, minReadySeconds }
  await sets().create({ metadata: { name }, spec } as Draft<DaemonSet>)
  await cluster.settle()
}
const podsOf = async (name: string) => (await pods().list({ labelSelector: { app: name } })).items
const nodesOf = async (name: string) => (await podsOf(name)).map(({ spec }) => spec.nodeName).sort()
const images = async (name: string) => (await podsOf(name)).map(({ spec }) => spec.containers?.[0]?.image?.split(':')[1]).sort()
const setImage = (name: string, image: string, annotations: Record<string, string> = {}) =>
  sets().patch(name, { spec: { template: templateOf(name, image, annotations) } })
const taint = (node: string, taints: readonly Taint[]) => nodes().patch(node, { spec: { taints: [...taints] } })

describe('a DaemonSet', () => {
  test('has a Pod on each Node, with what lets it be there', async () => {
    await create('usual')
    assert.deepEqual(await nodesOf('usual'), ['node-0', 'node-1', 'node-2'])
    const [pod] = await podsOf('usual')
    const { nodeName, affinity, tolerations } = pod!.spec
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }]
    const required = { nodeSelectorTerms: [{ matchFields }] }
    assert.deepEqual(affinity, { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } })
    assert.deepEqual(
      tolerations?.map(({ key, effect, operator }) => `${key?.split('/')[1]} ${effect} ${operator}`),
      [
        'not-ready NoExecute Exists',
        'unreachable NoExecute Exists',
        'disk-pressure NoSchedule Exists',
        'memory-pressure NoSchedule Exists',
        'pid-pressure NoSchedule Exists',
        'unschedulable NoSchedule Exists'
      ]
    )
    const set = await sets().get('usual')
    const [revision] = (await cluster.client.of('apps/v1', 'ControllerRevision').list({ labelSelector: 'app=usual' })).items
    assert.deepEqual(pod?.metadata.labels, {
      app: 'usual',
      'controller-revision-hash': revision?.metadata.labels?.['controller-revision-hash'],
      'pod-template-generation': '1'
    })
    assert.deepEqual(set.status, {
      currentNumberScheduled: 3,
      desiredNumberScheduled: 3,
      numberMisscheduled: 0,
      numberReady: 3,
      numberAvailable: 3,
      updatedNumberScheduled: 3,
      observedGeneration: 1
    })
    const events = await cluster.events(set)
    assert.deepEqual(
      events.map(event => event.replace(/-\w{5}$/, '')),
      Array(3).fill('SuccessfulCreate: Created pod: usual')
    )
  })

  test('follows labels and taints of Nodes', async () => {
    await create('chosen', { pod: { nodeSelector: { disk: 'fast' } } })
    assert.deepEqual([await nodesOf('chosen'), (await sets().get('chosen')).status.desiredNumberScheduled], [[], 0])
    for (const node of ['node-1', 'node-2']) await nodes().patch(node, { metadata: { labels: { disk: 'fast' } } })
    await cluster.settle()
    assert.deepEqual(await nodesOf('chosen'), ['node-1', 'node-2'])
    await taint('node-1', [{ key: 'reserved', effect: 'NoSchedule' } as Taint])
    await cluster.pass(1000)
    const { numberMisscheduled, desiredNumberScheduled } = (await sets().get('chosen')).status
    assert.deepEqual([await nodesOf('chosen'), numberMisscheduled, desiredNumberScheduled], [['node-1', 'node-2'], 1, 1])
    await taint('node-1', [{ key: 'reserved', effect: 'NoExecute' } as Taint])
    await cluster.pass(1000)
    assert.deepEqual(await nodesOf('chosen'), ['node-2'])
    await taint('node-1', [])
    await nodes().patch('node-2', { metadata: { labels: { disk: null as unknown as string } } })
    await cluster.pass(1000)
    assert.deepEqual(await nodesOf('chosen'), ['node-1'])
    await sets().delete('chosen')
  })

  test('comes to a new Node', async () => {
    await create('growing')
    await nodes().create({ metadata: { name: 'late', annotations: { [`${domain}/node`]: '' } } })
    await taint('late', [])
    await cluster.settle()
    assert.equal((await podsOf('growing')).length, 4)
    await nodes().delete('late')
    await cluster.pass(1000)
    assert.equal((await sets().get('growing')).status.desiredNumberScheduled, 3)
    await sets().delete('growing')
  })

  test('replaces its Pods one by one, and remembers what they were', async () => {
    await create('rolling')
    await setImage('rolling', 'nginx:2', slowly)
    await cluster.pass(1000)
    assert.deepEqual(await images('rolling'), ['1', '1', '2'])
    assert.deepEqual((await sets().get('rolling')).status.numberUnavailable, 1)
    await cluster.pass(5000)
    assert.deepEqual(await images('rolling'), ['1', '2', '2'])
    await cluster.pass(11_000)
    const { updatedNumberScheduled, numberUnavailable } = (await sets().get('rolling')).status
    assert.deepEqual([await images('rolling'), updatedNumberScheduled, numberUnavailable], [['2', '2', '2'], 3, undefined])
    const revisions = (await cluster.client.of('apps/v1', 'ControllerRevision').list({ labelSelector: 'app=rolling' })).items
    assert.deepEqual(revisions.map(({ revision }) => revision).sort(), [1, 2])
  })

  test('brings new Pods up beside the old ones, where it surges', async () => {
    await create('surging', { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } })
    await setImage('surging', 'nginx:2', slowly)
    await cluster.pass(2000)
    assert.deepEqual(await images('surging'), ['1', '1', '1', '2'])
    await cluster.pass(20_000)
    assert.deepEqual(await images('surging'), ['2', '2', '2'])
    assert.deepEqual(await nodesOf('surging'), ['node-0', 'node-1', 'node-2'])
  })

  test('leaves the replacement to others with OnDelete', async () => {
    await create('on-delete', { strategy: { type: 'OnDelete' } })
    await setImage('on-delete', 'nginx:2')
    await cluster.pass(1000)
    assert.deepEqual(await images('on-delete'), ['1', '1', '1'])
    await pods().delete((await podsOf('on-delete'))[0]!)
    await cluster.pass(1000)
    assert.deepEqual(await images('on-delete'), ['1', '1', '2'])
  })

  test('replaces Pods that have failed, more slowly each time', async () => {
    await create('failing')
    const fail = async () => {
      const pod = (await podsOf('failing')).find(({ spec }) => spec.nodeName === 'node-0')!
      await pods()
        .subresource('status')
        .patch(pod, { status: { phase: 'Failed' } })
      await cluster.settle()
      return pod.metadata.uid
    }
    const onNode = async () => (await podsOf('failing')).find(({ spec }) => spec.nodeName === 'node-0')?.metadata.uid
    const first = await fail()
    await cluster.pass(100)
    assert.notEqual(await onNode(), first)
    const second = await fail()
    await cluster.pass(100)
    assert.equal(await onNode(), second, 'within a second of the first failure')
    await cluster.pass(2000)
    assert.notEqual(await onNode(), second)
    const [set, name] = [await sets().get('failing'), '[\\w-]+']
    const events = (await cluster.events(set)).join('\n')
    assert.match(
      events,
      new RegExp(`FailedDaemonPod: Found failed daemon pod default/${name} on node node-0, will try to kill it`)
    )
  })

  test('counts Pods as available some time after they are ready', async () => {
    await create('minimum', { minReadySeconds: 10 })
    const availability = async () => {
      const { numberReady, numberAvailable } = (await sets().get('minimum')).status
      return [numberReady, numberAvailable]
    }
    assert.deepEqual(await availability(), [3, undefined])
    await cluster.pass(11_000)
    assert.deepEqual(await availability(), [3, 3])
  })
})
