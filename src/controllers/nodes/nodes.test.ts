import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, test } from 'node:test'
import type { Node, Pod } from '../../apimachinery/api/generated/core-v1.js'
import { portless } from '../../client/testing/portless.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { nextTurn } from '../../util/turns.js'
import { surplus } from './pod-garbage.js'
import { podRange } from './pod-range.js'
import { schedulingTaints, toleratedMs } from './taints.js'
import { stepFor } from './ttl.js'
import { stateOf, Zones } from './zones.js'

const nodeIn = (zone: string) =>
  ({ metadata: { name: zone, labels: { 'topology.kubernetes.io/zone': zone } } }) as unknown as Node

describe('taints', () => {
  test('follow from the conditions of a Node', () => {
    const node = {
      spec: {
        unschedulable: true,
        taints: [
          { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
          { key: 'mine', effect: 'NoSchedule' }
        ]
      },
      status: {
        conditions: [
          { type: 'Ready', status: 'Unknown' },
          { type: 'DiskPressure', status: 'True' },
          { type: 'constructor', status: 'True' }
        ]
      }
    } as unknown as Node
    const { add, remove } = schedulingTaints(node)
    const keys = ['unreachable', 'disk-pressure', 'unschedulable'].map(key => `node.kubernetes.io/${key}`)
    assert.deepEqual(
      add.map(({ key }) => key),
      keys
    )
    assert.deepEqual(
      remove.map(({ key }) => key),
      ['node.kubernetes.io/not-ready']
    )
  })

  test('are tolerated for the shortest of the times', () => {
    const taint = (key: string, value?: string) => ({ key, value, effect: 'NoExecute' })
    assert.equal(toleratedMs([taint('a')], []), 0)
    assert.equal(toleratedMs([taint('a')], [{ operator: 'Exists' }]), Number.POSITIVE_INFINITY)
    const seconds = (key: string, tolerationSeconds: number) => ({ key, operator: 'Exists', tolerationSeconds })
    assert.equal(toleratedMs([taint('a'), taint('b')], [seconds('a', 30), seconds('b', 10)]), 10_000)
    assert.equal(toleratedMs([taint('a', 'x')], [{ key: 'a', value: 'y' }]), 0)
    assert.equal(toleratedMs([taint('a')], [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }]), 0)
  })
})

describe('zones', () => {
  test('give up one Node in ten seconds, and none where most are lost', () => {
    const zones = new Zones()
    const line = zones.queueOf(nodeIn('a'))
    for (const name of ['one', 'two', 'three']) line.add(name)
    assert.equal(
      zones.update(
        new Map([
          ['a', [true]],
          [' a', [true, true, true, false]]
        ]),
        0
      ),
      undefined
    )
    assert.deepEqual([zones.take(0), zones.take(1), zones.nextAt], [['one'], [], 10_000])
    assert.deepEqual(zones.take(10_000), ['two'])
    line.add('one')
    zones.update(
      new Map([
        ['other', [true]],
        [' a', [true, false, false, false]]
      ]),
      20_000
    )
    assert.deepEqual([zones.take(20_000), zones.nextAt], [[], undefined])
  })

  test('tell when the whole cluster is lost, and when it is found again', () => {
    const zones = new Zones()
    const all = (isReady: boolean) =>
      new Map([
        ['a', [isReady]],
        ['b', [isReady]]
      ])
    assert.deepEqual(
      [true, false, false, true, true].map((isReady, time) => zones.update(all(isReady), time)),
      [undefined, 'lost', undefined, 'found', undefined]
    )
  })

  test('are partly disrupted from three lost Nodes on', () => {
    assert.equal(stateOf([false, false, true]), 'Normal')
    assert.equal(stateOf([false, false, false, true]), 'PartialDisruption')
    assert.equal(stateOf([false]), 'FullDisruption')
  })
})

test('the Pods that have ended first are deleted first, evicted ones before others', () => {
  const pod = (name: string, phase: string, created: string, reason?: string) =>
    ({ metadata: { name, creationTimestamp: created }, status: { phase, reason } }) as unknown as Pod
  const pods = [
    pod('b', 'Succeeded', '2'),
    pod('a', 'Failed', '1'),
    pod('running', 'Running', '0'),
    pod('e', 'Failed', '3', 'Evicted')
  ]
  assert.deepEqual(
    surplus(pods, 1).map(({ metadata }) => metadata.name),
    ['e', 'a']
  )
  assert.deepEqual(surplus(pods, 3), [])
})

test('steps of the time to live overlap', () => {
  assert.deepEqual([stepFor(100, 0), stepFor(101, 0), stepFor(95, 1), stepFor(89, 1), stepFor(5000, 0)], [0, 1, 1, 0, 4])
})

test('ranges of addresses differ for all Nodes', () => {
  assert.deepEqual([podRange(0), podRange(256), podRange(12 * 256)], ['10.244.0.0/24', '10.245.0.0/24', '10.224.0.0/24'])
  assert.equal(new Set(Array.from({ length: 8192 }, (_, number) => podRange(number))).size, 8192)
})

/** A cluster with a clock, and what tests ask it. */
async function cluster(t: TestContext, nodes: number) {
  const clock = new FakeClock()
  const server = await portless(t, { clock, storageBackend: 'memory', simulate: { nodes } })
  const client = server.client()
  const [pods, objects] = [client.of('v1', 'Pod'), client.of('v1', 'Node')]
  const settle = async () => {
    for (let turn = 0; turn < 100; turn++) await nextTurn()
  }
  await settle()
  const annotate = async (name: string, annotations: Record<string, string | null>) => {
    await objects.patch(name, { metadata: { annotations } } as object)
    await settle()
  }
  const pass = async (seconds: number) => {
    await clock.pass(seconds * 1000)
    await settle()
  }
  const conditionOf = async (name: string, type: string) =>
    (await objects.get(name)).status.conditions?.find(condition => condition.type === type)
  const taintsOf = async (name: string) =>
    ((await objects.get(name)).spec.taints ?? [])
      .map(({ key, effect }) => `${key.replace('node.kubernetes.io/', '')} ${effect}`)
      .sort()
  const eventsOf = async (name: string) =>
    (await client.of('v1', 'Event').list()).items
      .filter(event => event.involvedObject.name === name)
      .map(({ source, reason, message }) => `${source?.component}: ${reason}: ${message}`)
  const run = async (name: string, spec: object) => {
    await pods.create({ metadata: { name }, spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec } })
    await settle()
  }
  return { client, clock, pods, objects, settle, annotate, pass, conditionOf, taintsOf, eventsOf, run }
}

describe('a Node that falls silent', () => {
  test('is unknown after its time, loses its Pods after theirs, and comes back', async t => {
    const { annotate, pass, pods, conditionOf, taintsOf, eventsOf, run, settle } = await cluster(t, 3)
    await run('web', { nodeName: 'node-0' })
    await run('stays', { nodeName: 'node-0', tolerations: [{ operator: 'Exists' }] })
    assert.equal((await pods.get('web')).status.phase, 'Running')
    await annotate('node-0', { 'simulate.binnacle.dev/silent': 'true' })
    await pass(40)
    assert.equal((await conditionOf('node-0', 'Ready'))?.status, 'True')
    await pass(25)
    const ready = await conditionOf('node-0', 'Ready')
    assert.deepEqual(
      [ready?.status, ready?.reason, ready?.message],
      ['Unknown', 'NodeStatusUnknown', 'Kubelet stopped posting node status.']
    )
    assert.equal((await conditionOf('node-0', 'MemoryPressure'))?.status, 'Unknown')
    assert.deepEqual(await taintsOf('node-0'), ['unreachable NoExecute', 'unreachable NoSchedule'])
    const isReady = async (name: string) => (await pods.get(name)).status.conditions?.find(({ type }) => type === 'Ready')?.status
    assert.equal(await isReady('web'), 'False')
    assert.ok((await eventsOf('node-0')).includes('node-controller: NodeNotReady: Node node-0 status is now: NodeNotReady'))
    assert.ok((await eventsOf('web')).includes('node-controller: NodeNotReady: Node is not ready'))
    await pass(280)
    assert.equal((await pods.get('web')).metadata.deletionTimestamp, undefined)
    await pass(20)
    const web = await pods.get('web')
    assert.ok(web.metadata.deletionTimestamp)
    assert.equal(web.status.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason, 'DeletionByTaintManager')
    assert.ok(
      (await eventsOf('web')).includes('taint-eviction-controller: TaintManagerEviction: Marking for deletion Pod default/web')
    )
    // nobody tells that its containers have ended
    await pass(600)
    assert.ok(await pods.find('web'))
    await annotate('node-0', { 'simulate.binnacle.dev/silent': null })
    await pass(10)
    await settle()
    assert.equal((await conditionOf('node-0', 'Ready'))?.status, 'True')
    assert.deepEqual(await taintsOf('node-0'), [])
    assert.equal(await pods.find('web'), undefined)
    assert.equal(await isReady('stays'), 'True')
  })

  test('comes back in time for its Pods to stay', async t => {
    const { annotate, pass, pods, eventsOf, run } = await cluster(t, 2)
    await run('web', { nodeName: 'node-0' })
    await annotate('node-0', { 'simulate.binnacle.dev/silent': 'true' })
    await pass(120)
    await annotate('node-0', { 'simulate.binnacle.dev/silent': 'false' })
    await pass(400)
    const web = await pods.get('web')
    assert.equal(web.metadata.deletionTimestamp, undefined)
    assert.equal(web.status.conditions?.find(({ type }) => type === 'Ready')?.status, 'True')
    assert.ok(
      (await eventsOf('web')).includes('taint-eviction-controller: TaintManagerEviction: Cancelling deletion of Pod default/web')
    )
  })

  test('keeps its Pods when no other is left', async t => {
    const { annotate, pass, pods, taintsOf, run } = await cluster(t, 1)
    await run('web', { nodeName: 'node-0' })
    await annotate('node-0', { 'simulate.binnacle.dev/silent': 'true' })
    await pass(600)
    assert.deepEqual(await taintsOf('node-0'), ['unreachable NoSchedule'])
    assert.equal((await pods.get('web')).metadata.deletionTimestamp, undefined)
  })

  test('Nodes that work are ready for an hour', async t => {
    const { pass, objects, conditionOf, taintsOf } = await cluster(t, 1)
    const transition = (await conditionOf('node-0', 'Ready'))?.lastTransitionTime
    await pass(3600)
    assert.equal((await conditionOf('node-0', 'Ready'))?.lastTransitionTime, transition)
    assert.deepEqual(await taintsOf('node-0'), [])
    const { metadata, spec } = await objects.get('node-0')
    assert.equal(metadata.annotations?.['node.alpha.kubernetes.io/ttl'], '0')
    assert.match(spec.podCIDR ?? '', /^10\.244\.[01]\.0\/24$/)
  })
})

describe('a Node', () => {
  test('under pressure says so, and has the taint as long as it is', async t => {
    const { annotate, pass, conditionOf, taintsOf, eventsOf } = await cluster(t, 2)
    await annotate('node-0', { 'simulate.binnacle.dev/memory-pressure': 'true', 'simulate.binnacle.dev/disk-pressure': 'true' })
    const memory = await conditionOf('node-0', 'MemoryPressure')
    assert.deepEqual([memory?.status, memory?.reason], ['True', 'KubeletHasInsufficientMemory'])
    assert.deepEqual(await taintsOf('node-0'), ['disk-pressure NoSchedule', 'memory-pressure NoSchedule'])
    await annotate('node-0', { 'simulate.binnacle.dev/memory-pressure': null, 'simulate.binnacle.dev/disk-pressure': null })
    await pass(1)
    assert.equal((await conditionOf('node-0', 'MemoryPressure'))?.status, 'False')
    assert.deepEqual(await taintsOf('node-0'), [])
    const events = await eventsOf('node-0')
    assert.ok(events.includes('kubelet: NodeHasDiskPressure: Node node-0 status is now: NodeHasDiskPressure'))
    assert.ok(events.includes('kubelet: NodeHasNoDiskPressure: Node node-0 status is now: NodeHasNoDiskPressure'))
  })

  test('that is not ready, and says why, loses its Pods in time', async t => {
    const { annotate, pass, conditionOf, taintsOf, pods, run } = await cluster(t, 2)
    await run('web', { nodeName: 'node-0' })
    await annotate('node-0', { 'simulate.binnacle.dev/not-ready': 'container runtime is down' })
    await pass(6)
    assert.equal((await conditionOf('node-0', 'Ready'))?.message, 'container runtime is down')
    assert.deepEqual(await taintsOf('node-0'), ['not-ready NoExecute', 'not-ready NoSchedule'])
    await pass(310)
    assert.equal(await pods.find('web'), undefined)
  })

  test('that is cordoned has the taint', async t => {
    const { objects, settle, taintsOf } = await cluster(t, 1)
    await objects.patch('node-0', { spec: { unschedulable: true } })
    await settle()
    assert.deepEqual(await taintsOf('node-0'), ['unschedulable NoSchedule'])
    await objects.patch('node-0', { spec: { unschedulable: false } })
    await settle()
    assert.deepEqual(await taintsOf('node-0'), [])
  })

  test('that is deleted takes its Pods along after a while', async t => {
    const { objects, pods, pass, run, eventsOf } = await cluster(t, 2)
    await run('web', { nodeName: 'node-0' })
    await objects.delete('node-0')
    await pass(30)
    assert.ok(await pods.find('web'))
    await pass(60)
    assert.equal(await pods.find('web'), undefined)
    assert.ok(
      (await eventsOf('node-0')).includes(
        'node-controller: RemovingNode: Node node-0 event: Removing Node node-0 from Controller'
      )
    )
  })

  test('with a taint that a Pod does not tolerate loses it at once', async t => {
    const { objects, pods, settle, run, pass } = await cluster(t, 1)
    await run('web', { nodeName: 'node-0' })
    await run('patient', {
      nodeName: 'node-0',
      tolerations: [{ key: 'mine', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 }]
    })
    await objects.patch('node-0', { spec: { taints: [{ key: 'mine', effect: 'NoExecute' }] } })
    await settle()
    assert.equal(await pods.find('web'), undefined)
    assert.ok(await pods.find('patient'))
    await pass(30)
    // another taint does not begin the time anew
    await objects.patch('node-0', { spec: { taints: [{ key: 'mine', value: 'again', effect: 'NoExecute' }] } })
    await settle()
    assert.ok(await pods.find('patient'))
    await pass(31)
    assert.equal(await pods.find('patient'), undefined)
  })
})
