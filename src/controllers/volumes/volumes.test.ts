import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { KubeClient } from '../../client/stored-types.js'
import { portless } from '../../client/testing/portless.js'
import type { BinnacleServer } from '../../index.js'
import { eventually } from '../../testkit/eventually.js'
import { annotations } from './claims.js'

// tests wait for events, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

const claim = (name: string, storage = '1Gi', spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...spec }
})
const volume = (name: string, storage: string, spec: object = {}) => ({
  metadata: { name },
  spec: { capacity: { storage }, accessModes: ['ReadWriteOnce'], hostPath: { path: `/tmp/${name}` }, ...spec }
})
const pod = (name: string, volumes: object[]) => ({
  metadata: { name },
  spec: { nodeName: 'node-0', containers: [{ name: 'web', image: 'nginx' }], volumes, terminationGracePeriodSeconds: 0 }
})

class Cluster {
  readonly server: BinnacleServer

  constructor(server: BinnacleServer) {
    this.server = server
  }

  static async start(t: test.TestContext, nodes = 1, featureGates: Record<string, boolean> = {}): Promise<Cluster> {
    return new Cluster(await portless(t, { simulate: { nodes }, featureGates }))
  }

  get client(): KubeClient {
    return this.server.client() as KubeClient
  }
  get claims() {
    return this.client.of('v1', 'PersistentVolumeClaim')
  }
  get volumes() {
    return this.client.of('v1', 'PersistentVolume')
  }
  get pods() {
    return this.client.of('v1', 'Pod')
  }

  claimPhase = (name: string, phase: string) =>
    eventually(
      `claim ${name} is ${phase}`,
      () => this.claims.find(name),
      found => found?.status.phase === phase
    )
  volumePhase = (name: string, phase: string) =>
    eventually(
      `volume ${name} is ${phase}`,
      () => this.volumes.find(name),
      found => found?.status.phase === phase
    )
  podPhase = (name: string, phase: string) =>
    eventually(
      `Pod ${name} is ${phase}`,
      () => this.pods.find(name),
      found => found?.status.phase === phase
    )
  gone = (what: string, find: () => Promise<unknown>) => eventually(`${what} is gone`, find, found => found === undefined)

  async said(name: string, reason: string): Promise<string | undefined> {
    const find = async () => {
      const { items } = await this.server.client().of('v1', 'Event').list()
      return items.find(event => event.involvedObject.name === name && event.reason === reason)
    }
    return (await eventually(`an Event ${reason} about ${name}`, find))?.message
  }
}

describe('claims and volumes of a simulated cluster', () => {
  test('are bound to each other, and released', async t => {
    const cluster = await Cluster.start(t)
    const none = { storageClassName: '' }
    await cluster.claims.create(claim('data', '2Gi', none))
    assert.match((await cluster.said('data', 'FailedBinding'))!, /no persistent volumes available/)
    await cluster.volumes.create(volume('large', '10Gi'))
    await cluster.volumePhase('large', 'Bound')
    const { spec, status, metadata } = (await cluster.claimPhase('data', 'Bound'))!
    assert.deepEqual([spec.volumeName, status.capacity], ['large', { storage: '10Gi' }])
    assert.equal(metadata.annotations?.[annotations.boundByController], 'yes')
    await cluster.claims.delete('data')
    await cluster.volumePhase('large', 'Released')
    const recycled = volume('again', '1Gi', { persistentVolumeReclaimPolicy: 'Recycle' })
    await cluster.volumes.create(recycled)
    await cluster.claims.create(claim('other', '1Gi', none))
    await cluster.volumePhase('again', 'Bound')
    await cluster.claims.delete('other')
    await cluster.volumePhase('again', 'Available')
    assert.equal((await cluster.volumes.get('again')).spec.claimRef, undefined)
  })

  test('tell since when no Pod uses a claim, with the gate PersistentVolumeClaimUnusedSinceTime', async t => {
    for (const on of [true, false]) {
      const cluster = await Cluster.start(t, 1, { PersistentVolumeClaimUnusedSinceTime: on })
      await cluster.volumes.create(volume('v', '1Gi'))
      await cluster.claims.create(claim('data', '1Gi', { storageClassName: '' }))
      await cluster.claimPhase('data', 'Bound')
      // whoever removes the finalizer of a claim that goes has seen it as bound before
      await cluster.claims.patch('data', { metadata: { finalizers: ['kubernetes.io/pvc-protection', 'test.example.com/last'] } })
      await cluster.claims.delete('data')
      const { status } = (await eventually(
        'the claim is no longer protected',
        () => cluster.claims.find('data'),
        found => found?.metadata.finalizers?.length === 1
      ))!
      assert.equal(status.conditions?.some(({ type }) => type === 'Unused') ?? false, on)
    }
  })

  test('are provisioned by the class of the cluster for the Node of their Pod, grow, and go', async t => {
    const cluster = await Cluster.start(t)
    await cluster.claims.create(claim('data'))
    await cluster.said('data', 'WaitForFirstConsumer')
    await cluster.claims.patch('data', { metadata: { annotations: { [annotations.selectedNode]: 'node-0' } } })
    const { spec } = (await cluster.claimPhase('data', 'Bound'))!
    assert.equal(spec.storageClassName, 'standard')
    const name = spec.volumeName!
    const made = await cluster.volumes.get(name)
    const [term] = made.spec.nodeAffinity!.required!.nodeSelectorTerms!
    assert.deepEqual(term!.matchExpressions, [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-0'] }])
    await cluster.said('data', 'ProvisioningSucceeded')
    await cluster.claims.patch('data', { spec: { resources: { requests: { storage: '3Gi' } } } })
    const grown = (one: { status: { capacity?: Record<string, string> | undefined } }) => one.status.capacity?.storage === '3Gi'
    await eventually('the claim has grown', () => cluster.claims.get('data'), grown)
    assert.match((await cluster.said('data', 'ExternalExpanding'))!, /external controller/)
    await cluster.claims.delete('data')
    await cluster.gone('the volume', () => cluster.volumes.find(name))
  })

  test('of the class of the cluster wait for the scheduler, and their volumes are where their Pods are', async t => {
    const cluster = await Cluster.start(t, 3)
    const set = {
      metadata: { name: 'db' },
      spec: {
        serviceName: 'db',
        replicas: 3,
        podManagementPolicy: 'Parallel',
        selector: { matchLabels: { app: 'db' } },
        template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'db', image: 'postgres' }] } },
        volumeClaimTemplates: [claim('data')]
      }
    }
    await cluster.client.of('apps/v1', 'StatefulSet').create(set)
    for (const name of ['db-0', 'db-1', 'db-2']) {
      const { spec } = (await cluster.podPhase(name, 'Running'))!
      const { spec: bound, metadata } = (await cluster.claimPhase(`data-${name}`, 'Bound'))!
      assert.equal(metadata.annotations?.[annotations.selectedNode], spec.nodeName)
      const { nodeAffinity } = (await cluster.volumes.get(bound.volumeName!)).spec
      assert.deepEqual(nodeAffinity?.required?.nodeSelectorTerms?.[0]?.matchExpressions?.[0]?.values, [spec.nodeName])
    }
  })

  test('stay as long as they are used', async t => {
    const cluster = await Cluster.start(t)
    await cluster.volumes.create(volume('one', '1Gi', { persistentVolumeReclaimPolicy: 'Delete' }))
    await cluster.claims.create(claim('data', '1Gi', { storageClassName: '' }))
    await cluster.claimPhase('data', 'Bound')
    await cluster.pods.create(pod('web', [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }]))
    await cluster.podPhase('web', 'Running')
    const isUsed = ({ status }: { status: { conditions?: readonly { reason?: string | undefined }[] | undefined } }) =>
      status.conditions?.[0]?.reason === 'PodUsingPVC'
    await eventually('the claim is said to be used', () => cluster.claims.get('data'), isUsed)
    await cluster.claims.delete('data')
    await cluster.volumes.delete('one')
    assert.ok((await cluster.claims.get('data')).metadata.deletionTimestamp)
    await cluster.pods.delete('web')
    await cluster.gone('the claim', () => cluster.claims.find('data'))
    await cluster.gone('the volume', () => cluster.volumes.find('one'))
  })

  test('are lost with their volume', async t => {
    const cluster = await Cluster.start(t)
    await cluster.volumes.create(volume('one', '1Gi'))
    await cluster.claims.create(claim('data', '1Gi', { storageClassName: '' }))
    await cluster.claimPhase('data', 'Bound')
    await cluster.volumePhase('one', 'Bound')
    await cluster.volumes.patch('one', { metadata: { finalizers: null } } as never)
    await cluster.volumes.delete('one')
    await cluster.volumes.patch('one', { metadata: { finalizers: null } } as never).catch(() => {})
    await cluster.claimPhase('data', 'Lost')
    assert.match((await cluster.said('data', 'ClaimLost'))!, /has lost its PersistentVolume/)
  })

  test('of ephemeral volumes come and go with their Pod', async t => {
    const cluster = await Cluster.start(t)
    await cluster.volumes.create(volume('one', '1Gi', { persistentVolumeReclaimPolicy: 'Delete' }))
    const { spec } = claim('', '1Gi', { storageClassName: '' })
    const template = { metadata: { labels: { a: 'b' } }, spec }
    await cluster.pods.create(pod('web', [{ name: 'scratch', ephemeral: { volumeClaimTemplate: template } }]))
    await cluster.podPhase('web', 'Running')
    const { metadata } = await cluster.claims.get('web-scratch')
    assert.deepEqual([metadata.labels, metadata.ownerReferences?.[0]?.name], [{ a: 'b' }, 'web'])
    await cluster.pods.delete('web')
    await cluster.gone('the claim', () => cluster.claims.find('web-scratch'))
  })

  test('of CSI drivers are attached to the Node, and detached', async t => {
    const cluster = await Cluster.start(t)
    const client = cluster.server.client()
    const annotated = { name: 'disk.example.com', annotations: { 'simulate.binnacle.dev/attach-error': 'no such disk' } }
    await client.of('storage.k8s.io/v1', 'CSIDriver').create({ metadata: annotated, spec: {} })
    await client.of('storage.k8s.io/v1', 'StorageClass').create({
      metadata: { name: 'disks' },
      provisioner: 'simulate.binnacle.dev/provisioner',
      parameters: { csiDriver: 'disk.example.com' }
    })
    await cluster.claims.create(claim('data', '1Gi', { storageClassName: 'disks' }))
    const { spec } = (await cluster.claimPhase('data', 'Bound'))!
    await cluster.pods.create(pod('web', [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }]))
    const failed = `AttachVolume.Attach failed for volume "${spec.volumeName}" : no such disk`
    assert.equal(await cluster.said('web', 'FailedAttachVolume'), failed)
    assert.equal((await cluster.pods.get('web')).status.phase, 'Pending')
    const drivers = client.of('storage.k8s.io/v1', 'CSIDriver')
    await drivers.patch('disk.example.com', { metadata: { annotations: null } } as never)
    await cluster.podPhase('web', 'Running')
    assert.equal(
      await cluster.said('web', 'SuccessfulAttachVolume'),
      `AttachVolume.Attach succeeded for volume "${spec.volumeName}" `
    )
    const { status } = await client.of('v1', 'Node').get('node-0')
    const name = `kubernetes.io/csi/disk.example.com^${spec.volumeName}`
    assert.deepEqual([status.volumesAttached, status.volumesInUse], [[{ name, devicePath: '' }], [name]])
    await cluster.pods.delete('web')
    const list = async () => (await client.of('storage.k8s.io/v1', 'VolumeAttachment').list()).items
    await eventually('the volume is detached', list, items => items.length === 0)
    const attached = async () => (await client.of('v1', 'Node').get('node-0')).status.volumesAttached
    await eventually('the Node has no volumes', attached, volumes => !volumes?.length)
  })

  test('and Secrets are waited for by Pods', async t => {
    const cluster = await Cluster.start(t)
    const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }]
    const waits = pod('web', [
      { name: 'd', persistentVolumeClaim: { claimName: 'data' } },
      { name: 's', secret: { secretName: 'key' } }
    ])
    const spec = { ...waits.spec, containers: [{ name: 'web', image: 'nginx', env }] }
    await cluster.pods.create({ ...waits, spec })
    assert.match((await cluster.said('web', 'FailedMount'))!, /secret "key" not found|persistentvolumeclaims "data" not found/)
    const { status } = await cluster.pods.get('web')
    assert.equal(status.containerStatuses?.[0]?.state.waiting?.reason, 'ContainerCreating')
    assert.equal(status.podIP, undefined)
    const client = cluster.server.client()
    await client.of('v1', 'Secret').create({ metadata: { name: 'key' } })
    await cluster.volumes.create(volume('one', '1Gi'))
    await cluster.claims.create(claim('data', '1Gi', { storageClassName: '' }))
    const state = async () => (await cluster.pods.get('web')).status.containerStatuses?.[0]?.state
    await eventually('the container lacks its ConfigMap', state, one => one?.waiting?.reason === 'CreateContainerConfigError')
    assert.equal(await cluster.said('web', 'Failed'), 'Error: configmap "settings" not found')
    await client.of('v1', 'ConfigMap').create({ metadata: { name: 'settings' } })
    const lacksKey = "couldn't find key a in ConfigMap default/settings"
    await eventually('the container lacks its key', state, one => one?.waiting?.message === lacksKey)
    await client.of('v1', 'ConfigMap').patch('settings', { data: { a: 'b' } })
    await cluster.podPhase('web', 'Running')
  })
})
