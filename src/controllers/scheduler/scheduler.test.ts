import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { portless } from '../../client/testing/portless.js'
import { type BinnacleServer, type BuiltinKinds, kindRef, type ServerOptions, until } from '../../index.js'
import { FakeClock } from '../../testkit/fake-clock.js'

type Pod = BuiltinKinds['v1']['Pod']
const pods = kindRef('v1', 'Pod')
const events = kindRef('events.k8s.io/v1', 'Event')
const claims = kindRef('v1', 'PersistentVolumeClaim')
const volumes = kindRef('v1', 'PersistentVolume')

interface Cluster {
  readonly server: BinnacleServer
  readonly clock: FakeClock
  create(name: string, spec?: object, metadata?: object): Promise<Pod>
  /** Resolves when the condition holds for the Pod. */
  when(name: string, holds: (pod: Pod) => unknown): Promise<Pod>
}

async function clusterWith(t: TestContext, options: ServerOptions): Promise<Cluster> {
  const clock = new FakeClock()
  const server = await portless(t, { clock, seed: 'scheduler', ...options })
  const client = server.client()
  return {
    server,
    clock,
    create: (name, spec = {}, metadata = {}) =>
      client
        .of(pods)
        .create({ metadata: { name, ...metadata }, spec: { containers: [{ name: 'main', image: 'main' }], ...spec } }),
    when: (name, holds) =>
      until(client, { apiVersion: 'v1', kind: 'Pod', metadata: { name } }, pod => !!holds(pod as Pod), patient) as Promise<Pod>
  }
}

const cpu = (amount: string): object => ({
  containers: [{ name: 'main', image: 'main', resources: { requests: { cpu: amount } } }]
})
/** Other work of the machine may take its time. */
const patient = { timeout: 20_000 }
const isBound = ({ spec }: Pod) => spec.nodeName
const scheduled = ({ status }: Pod) => status.conditions?.find(({ type }) => type === 'PodScheduled')
const waits = (pod: Pod) => scheduled(pod)?.status === 'False'

/** What the scheduler tells of a Pod, when it has told so much. */
async function toldOf({ server, clock }: Cluster, name: string, count: number): Promise<string[]> {
  const told = async () => {
    const { items } = await server.client().of(events).list()
    return items.filter(
      ({ regarding, reportingController }) => regarding.name === name && reportingController === 'default-scheduler'
    )
  }
  for (let tries = 0; tries < 1000 && (await told()).length < count; tries++) await clock.pass(0)
  return (await told()).map(({ type, reason, action, note, related }) =>
    [type, reason, action, note, related?.name].filter(Boolean).join(' | ')
  )
}

describe('the scheduler', () => {
  test('binds a Pod, and tells of it', async t => {
    const cluster = await clusterWith(t, { simulate: { nodes: 1 } })
    await cluster.create('web')
    await cluster.when('web', isBound)
    assert.deepEqual(await toldOf(cluster, 'web', 1), [
      'Normal | Scheduled | Binding | Successfully assigned default/web to node-0'
    ])
    const [event] = (await cluster.server.client().of(events).list()).items.filter(({ reason }) => reason === 'Scheduled')
    assert.equal(event?.reportingInstance, 'default-scheduler-binnacle')
    assert.equal(event?.eventTime, '2026-01-01T00:00:00.000000Z')
    assert.equal(event?.metadata.managedFields?.[0]?.manager, 'kube-scheduler')
  })

  test('says why a Pod waits, and binds it when there is room', async t => {
    const cluster = await clusterWith(t, { simulate: { nodes: 2, nodeCapacity: { cpu: '2' } } })
    await cluster.create('first', cpu('2'))
    await cluster.create('second', cpu('2'))
    await Promise.all(['first', 'second'].map(name => cluster.when(name, isBound)))
    await cluster.create('third', cpu('2'))
    const third = await cluster.when('third', waits)
    const message =
      '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.'
    const { lastProbeTime, ...condition } = scheduled(third)!
    assert.deepEqual(condition, {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T00:00:00Z'
    })
    assert.equal(lastProbeTime, null)
    assert.deepEqual(await toldOf(cluster, 'third', 1), [`Warning | FailedScheduling | Scheduling | ${message}`])
    await cluster.server.client().of(pods).delete('first', { gracePeriodSeconds: 0 })
    await cluster.when('third', isBound)
  })

  test('leaves alone Pods with gates, and those of other schedulers', async t => {
    const cluster = await clusterWith(t, { simulate: { nodes: 1 } })
    await cluster.create('gated', { schedulingGates: [{ name: 'example.com/wait' }] })
    await cluster.create('foreign', { schedulerName: 'other' })
    await cluster.create('own')
    await cluster.when('own', isBound)
    await cluster.clock.pass(600_000)
    const gated = await cluster.server.client().of(pods).get('gated')
    assert.equal(scheduled(gated)?.reason, 'SchedulingGated')
    assert.equal((await cluster.server.client().of(pods).get('foreign')).spec.nodeName, undefined)
    assert.deepEqual(await toldOf(cluster, 'gated', 0), [])
    await cluster.server
      .client()
      .of(pods)
      .patch('gated', { spec: { schedulingGates: [] } })
    await cluster.when('gated', isBound)
  })

  test('preempts a Pod for a more important one', async t => {
    const cluster = await clusterWith(t, { simulate: { nodes: 1, nodeCapacity: { cpu: '2' } } })
    const client = cluster.server.client()
    await client.of('scheduling.k8s.io/v1', 'PriorityClass').create({ metadata: { name: 'high' }, value: 1000 })
    await cluster.create('low', { ...cpu('2'), terminationGracePeriodSeconds: 30 }, { finalizers: ['example.com/keep'] })
    await cluster.when('low', ({ status }) => status.phase === 'Running')
    const high = await cluster.create('high', { ...cpu('1'), priorityClassName: 'high' })
    const waiting = await cluster.when('high', ({ status }) => status.nominatedNodeName)
    assert.equal(waiting.status.nominatedNodeName, 'node-0')
    assert.match(
      scheduled(waiting)!.message!,
      /preemption: found a potential placement for pod on node node-0, preempting 1 victims$/
    )
    const low = await cluster.when('low', ({ metadata }) => metadata.deletionTimestamp)
    const { status, reason, message } = low.status.conditions!.find(({ type }) => type === 'DisruptionTarget')!
    assert.deepEqual(
      [status, reason, message],
      ['True', 'PreemptionByScheduler', 'default-scheduler: preempting to accommodate a higher priority pod']
    )
    assert.deepEqual((await toldOf(cluster, 'low', 2)).slice(1), [
      `Normal | Preempted | Preempting | Preempted by pod ${high.metadata.uid} on node node-0 | high`
    ])
    await client.of(pods).patch('low', { metadata: { finalizers: [] } })
    await cluster.clock.pass(31_000)
    await cluster.when('high', isBound)
  })

  test('chooses the Node of a volume that waits for it, and waits until it is bound', async t => {
    const cluster = await clusterWith(t, { simulate: { nodes: 2 } })
    const client = cluster.server.client()
    await client
      .of('storage.k8s.io/v1', 'StorageClass')
      .create({ metadata: { name: 'wait' }, provisioner: 'csi.example.com', volumeBindingMode: 'WaitForFirstConsumer' })
    const requests = { storage: '1Gi' }
    await client.of(claims).create({
      metadata: { name: 'data' },
      spec: { storageClassName: 'wait', accessModes: ['ReadWriteOnce'], resources: { requests } }
    })
    await cluster.create('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })
    const { status } = await cluster.when('web', pod => pod.status.nominatedNodeName)
    const claim = await until(client, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' } }, object =>
      Boolean(object.metadata.annotations?.['volume.kubernetes.io/selected-node'])
    )
    assert.equal(claim.metadata.annotations?.['volume.kubernetes.io/selected-node'], status.nominatedNodeName)
    await cluster.clock.pass(60_000)
    assert.equal((await client.of(pods).get('web')).spec.nodeName, undefined)
    await client.of(volumes).create({
      metadata: { name: 'made' },
      spec: {
        capacity: requests,
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'wait',
        csi: { driver: 'csi.example.com', volumeHandle: 'made' },
        claimRef: { namespace: 'default', name: 'data', uid: claim.metadata.uid }
      }
    })
    const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' }
    await client.of(claims).patch('data', { metadata: { annotations }, spec: { volumeName: 'made' } })
    assert.equal((await cluster.when('web', isBound)).spec.nodeName, status.nominatedNodeName)
  })

  test('reserves a volume for a claim that waits for it', async t => {
    const controllers = ['*', '-persistentvolume-binder']
    const cluster = await clusterWith(t, { controllers, simulate: { nodes: 2 } })
    const client = cluster.server.client()
    await client.of('storage.k8s.io/v1', 'StorageClass').create({
      metadata: { name: 'local' },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer'
    })
    await client.of(volumes).create({
      metadata: { name: 'disk' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'local',
        local: { path: '/disk' },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-1'] }] }]
          }
        }
      }
    })
    await client
      .of(volumes)
      .subresource('status')
      .patch('disk', { status: { phase: 'Available' } })
    const claim = await client.of(claims).create({
      metadata: { name: 'data' },
      spec: { storageClassName: 'local', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    })
    await cluster.create('web', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] })
    const disk = await until(client, { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'disk' } }, object =>
      Boolean(object.spec.claimRef)
    )
    assert.equal(disk.spec.claimRef?.uid, claim.metadata.uid)
    assert.equal(disk.metadata.annotations?.['pv.kubernetes.io/bound-by-controller'], 'yes')
    await cluster.clock.pass(600_000)
    const web = await client.of(pods).get('web')
    assert.equal(scheduled(web)?.reason, 'SchedulerError')
    assert.equal(scheduled(web)?.message, 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded')
    const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' }
    await client.of(claims).patch('data', { metadata: { annotations }, spec: { volumeName: 'disk' } })
    await cluster.clock.pass(30_000)
    assert.equal((await cluster.when('web', isBound)).spec.nodeName, 'node-1')
  })

  test('places the same Pods at the same Nodes for a seed', async t => {
    const places = async () => {
      const cluster = await clusterWith(t, { simulate: { nodes: 5 } })
      const names = Array.from({ length: 20 }, (_, i) => `web-${i}`)
      for (const name of names) {
        await cluster.create(name, cpu('100m'))
        await cluster.when(name, isBound)
      }
      const { items } = await cluster.server.client().of(pods).list()
      return items.map(({ metadata, spec }) => `${metadata.name} ${spec.nodeName}`)
    }
    const [once, again] = [await places(), await places()]
    assert.deepEqual(once, again)
    assert.equal(new Set(once.map(line => line.split(' ')[1])).size, 5)
  })
})
