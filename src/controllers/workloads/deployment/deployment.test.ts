import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Deployment, DeploymentSpec, ReplicaSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Draft } from '../../../client/stored-types.js'
import { simulatedCluster } from '../testing/simulated.js'

const cluster = simulatedCluster()
const deployments = () => cluster.client.of('apps/v1', 'Deployment')
const replicaSets = () => cluster.client.of('apps/v1', 'ReplicaSet')
const pods = () => cluster.client.of('v1', 'Pod')
const domain = 'simulate.binnacle.dev'
const slowly = { [`${domain}/ready-after`]: '5s' }
const never = { [`${domain}/ready-after`]: '10h' }

const templateOf = (name: string, image = '1', annotations: Record<string, string> = {}) => ({
  metadata: { labels: { app: name }, annotations },
  spec: { containers: [{ name: 'main', image: `nginx:${image}` }] }
})

async function create(name: string, spec: Draft<DeploymentSpec> = {}, annotations?: Record<string, string>) {
  const selector = { matchLabels: { app: name } }
  const whole = { replicas: 4, selector, template: templateOf(name, '1', annotations), ...spec }
  await deployments().create({ metadata: { name }, spec: whole } as Draft<Deployment>)
  await cluster.settle()
}
async function setImage(name: string, image: string, annotations?: Record<string, string>): Promise<void> {
  const { metadata } = (await deployments().get(name)).spec.template
  const gone = Object.fromEntries(Object.keys(metadata?.annotations ?? {}).map(key => [key, null]))
  const template = templateOf(name, image, { ...gone, ...annotations } as Record<string, string>)
  await deployments().patch(name, { spec: { template } })
}
async function patch(name: string, spec: Draft<DeploymentSpec>): Promise<void> {
  await deployments().patch(name, { spec })
  await cluster.settle()
}
const imageOf = ({ spec }: ReplicaSet) => spec.template?.spec?.containers?.[0]?.image?.split(':')[1] ?? ''
/** The sizes of the sets by their images. */
async function sizes(name: string): Promise<Record<string, number>> {
  const { items } = await replicaSets().list({ labelSelector: { app: name } })
  return Object.fromEntries(items.map(set => [imageOf(set), set.spec.replicas ?? 0]))
}
async function revisions(name: string): Promise<Record<string, string>> {
  const { items } = await replicaSets().list({ labelSelector: { app: name } })
  const sorted = items.sort((a, b) => (imageOf(a) < imageOf(b) ? -1 : 1))
  return Object.fromEntries(sorted.map(set => [imageOf(set), set.metadata.annotations!['deployment.kubernetes.io/revision']!]))
}
const conditionsOf = async (name: string) =>
  Object.fromEntries(
    (await deployments().get(name)).status.conditions!.map(({ type, status, reason }) => [type, `${status} ${reason}`])
  )
const eventsOf = async (name: string) =>
  (await cluster.events({ kind: 'Deployment', metadata: { name } })).map(event => event.replace(/replica set \S+/, 'replica set'))

describe('a Deployment', () => {
  test('becomes available, and its names say what it is made of', async () => {
    await create('usual', { replicas: 2 })
    const { metadata, status } = await deployments().get('usual')
    assert.equal(metadata.annotations?.['deployment.kubernetes.io/revision'], '1')
    const { conditions: _, ...counts } = status
    const all = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2, terminatingReplicas: 0 }
    assert.deepEqual(counts, { observedGeneration: 1, ...all })
    const wanted = { Available: 'True MinimumReplicasAvailable', Progressing: 'True NewReplicaSetAvailable' }
    assert.deepEqual(await conditionsOf('usual'), wanted)
    const [set] = (await replicaSets().list({ labelSelector: { app: 'usual' } })).items
    const hash = set!.metadata.labels!['pod-template-hash']!
    assert.equal(set?.metadata.name, `usual-${hash}`)
    assert.deepEqual(set?.spec.selector?.matchLabels, { app: 'usual', 'pod-template-hash': hash })
    assert.deepEqual(set?.metadata.annotations, {
      'deployment.kubernetes.io/desired-replicas': '2',
      'deployment.kubernetes.io/max-replicas': '3',
      'deployment.kubernetes.io/revision': '1'
    })
    for (const { metadata: pod } of (await pods().list({ labelSelector: { app: 'usual' } })).items) {
      assert.match(pod.name!, new RegExp(`^usual-${hash}-.{5}$`))
      assert.deepEqual([pod.ownerReferences?.[0]?.kind, pod.ownerReferences?.[0]?.uid], ['ReplicaSet', set?.metadata.uid])
    }
    assert.deepEqual(await eventsOf('usual'), ['ScalingReplicaSet: Scaled up replica set from 0 to 2'])
  })

  test('is rolled out with a surge, and with so many missing as may be', async () => {
    const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 2 } }
    await create('rolling', { strategy }, slowly)
    await cluster.pass(5000)
    await setImage('rolling', '2', slowly)
    await cluster.settle()
    assert.deepEqual(await sizes('rolling'), { 1: 2, 2: 3 }, 'at most five Pods, at least two available')
    assert.equal((await deployments().get('rolling')).status.availableReplicas, 2)
    await cluster.pass(5000)
    assert.deepEqual(await sizes('rolling'), { 1: 0, 2: 4 })
    await cluster.pass(5000)
    const { updatedReplicas, availableReplicas, replicas } = (await deployments().get('rolling')).status
    assert.deepEqual([updatedReplicas, availableReplicas, replicas], [4, 4, 4])
    assert.deepEqual(await revisions('rolling'), { 1: '1', 2: '2' })
  })

  test('replaces all Pods at once with Recreate, when the last old one has ended', async () => {
    await create('recreated', { strategy: { type: 'Recreate' } }, { [`${domain}/stops-after`]: '5s' })
    await setImage('recreated', '2')
    await cluster.pass(2000)
    assert.deepEqual(await sizes('recreated'), { 1: 0 })
    await cluster.pass(5000)
    assert.deepEqual(await sizes('recreated'), { 1: 0, 2: 4 })
    assert.equal((await conditionsOf('recreated')).Progressing, 'True NewReplicaSetAvailable')
  })

  test('is not rolled out while it is paused, but scaled', async () => {
    await create('paused')
    await patch('paused', { paused: true })
    assert.equal((await conditionsOf('paused')).Progressing, 'Unknown DeploymentPaused')
    await setImage('paused', '2')
    await patch('paused', { replicas: 6 })
    assert.deepEqual(await sizes('paused'), { 1: 6 })
    await deployments().patch('paused', { spec: { paused: false } })
    await cluster.pass(2000)
    assert.deepEqual(await sizes('paused'), { 1: 0, 2: 6 })
    assert.equal((await conditionsOf('paused')).Progressing, 'True NewReplicaSetAvailable')
  })

  test('goes back to a former template, whose set gets the next revision', async () => {
    await create('undone')
    const former = (await replicaSets().list({ labelSelector: { app: 'undone' } })).items[0]!
    await setImage('undone', '2')
    await cluster.pass(1000)
    assert.deepEqual(await revisions('undone'), { 1: '1', 2: '2' })
    // as `kubectl rollout undo` does it: the template of the set, without its hash
    const { metadata, spec } = former.spec.template!
    const { 'pod-template-hash': _, ...labels } = metadata!.labels!
    await deployments().patch('undone', [{ op: 'replace', path: '/spec/template', value: { metadata: { labels }, spec } }])
    await cluster.pass(1000)
    assert.deepEqual(await revisions('undone'), { 1: '3', 2: '2' })
    assert.deepEqual(await sizes('undone'), { 1: 4, 2: 0 })
    const { annotations } = await replicaSets()
      .get(former)
      .then(set => set.metadata)
    assert.equal(annotations?.['deployment.kubernetes.io/revision-history'], '1')
    assert.equal((await deployments().get('undone')).metadata.annotations?.['deployment.kubernetes.io/revision'], '3')
  })

  test('goes back by the annotation of former versions', async () => {
    await create('annotated', { replicas: 1 })
    await setImage('annotated', '2')
    await cluster.pass(1000)
    const goBack = async (revision: string) => {
      await deployments().patch('annotated', { metadata: { annotations: { 'deprecated.deployment.rollback.to': revision } } })
      await cluster.pass(1000)
    }
    await goBack('0')
    assert.deepEqual(
      [await sizes('annotated'), await revisions('annotated')],
      [
        { 1: 1, 2: 0 },
        { 1: '3', 2: '2' }
      ]
    )
    await goBack('7')
    await goBack('3')
    const events = (await eventsOf('annotated')).filter(event => event.startsWith('DeploymentRollback'))
    assert.deepEqual(events, [
      'DeploymentRollback: Rolled back deployment "annotated" to revision 1',
      'DeploymentRollbackRevisionNotFound: Unable to find the revision to rollback to.',
      'DeploymentRollbackTemplateUnchanged: The rollback revision contains the same template as current deployment "annotated"'
    ])
    const { annotations } = (await deployments().get('annotated')).metadata
    assert.deepEqual(annotations, { 'deployment.kubernetes.io/revision': '3' })
  })

  test('says when it makes no progress, and goes on when it can', async () => {
    await create('stuck', { progressDeadlineSeconds: 10 })
    await setImage('stuck', '2', never)
    await cluster.pass(9000)
    assert.equal((await conditionsOf('stuck')).Progressing, 'True ReplicaSetUpdated')
    await cluster.pass(3000)
    assert.equal((await conditionsOf('stuck')).Progressing, 'False ProgressDeadlineExceeded')
    assert.equal((await conditionsOf('stuck')).Available, 'True MinimumReplicasAvailable')
    await setImage('stuck', '3')
    await cluster.pass(2000)
    assert.equal((await conditionsOf('stuck')).Progressing, 'True NewReplicaSetAvailable')
    assert.deepEqual(await sizes('stuck'), { 1: 0, 2: 0, 3: 4 })
  })

  test('grows, and loses Pods, long after the deadline of its rollout', async () => {
    await create('old', { replicas: 1, progressDeadlineSeconds: 10 })
    await cluster.pass(60_000)
    await patch('old', { replicas: 3 })
    assert.equal((await deployments().get('old')).status.availableReplicas, 3)
    const { items } = await pods().list({ labelSelector: { app: 'old' } })
    await pods().patch(items[0]!.metadata.name!, { metadata: { annotations: { [`${domain}/ready`]: 'false' } } })
    await cluster.pass(60_000)
    assert.equal((await deployments().get('old')).status.availableReplicas, 2)
    assert.equal((await conditionsOf('old')).Progressing, 'True NewReplicaSetAvailable')
  })

  test('shares a change of size among the sets of a rollout', async () => {
    await create('sharing', { replicas: 10, strategy: { rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } } })
    await setImage('sharing', '2', never)
    await cluster.settle()
    assert.deepEqual(await sizes('sharing'), { 1: 8, 2: 5 })
    await patch('sharing', { replicas: 15 })
    assert.deepEqual(await sizes('sharing'), { 1: 11, 2: 7 })
  })

  test('keeps as many old sets as it is told', async () => {
    await create('forgetful', { revisionHistoryLimit: 1 })
    for (const image of ['2', '3', '4']) {
      await setImage('forgetful', image)
      await cluster.pass(1000)
    }
    assert.deepEqual(await sizes('forgetful'), { 3: 0, 4: 4 })
  })

  test('chooses another name where one is taken', async () => {
    await create('first', { replicas: 1 })
    const [set] = (await replicaSets().list({ labelSelector: { app: 'first' } })).items
    await deployments().delete('first', { propagationPolicy: 'Background' })
    await cluster.pass(1000)
    const { name, labels } = set!.metadata
    // a set of the name that is nobody's
    const template = { metadata: { labels: { other: 'x' } }, spec: set!.spec.template!.spec }
    const spec = { replicas: 0, selector: { matchLabels: { other: 'x' } }, template }
    await replicaSets().create({ metadata: { name: name!, labels: { other: labels!.app! } }, spec } as Draft<ReplicaSet>)
    await create('first', { replicas: 1 })
    await cluster.pass(1000)
    const { status } = await deployments().get('first')
    assert.deepEqual([status.collisionCount, status.availableReplicas], [1, 1])
    const [next] = (await replicaSets().list({ labelSelector: { app: 'first' } })).items
    assert.notEqual(next?.metadata.name, name)
  })

  test('adopts a set that it selects, and releases one that it no longer does', async () => {
    await create('adopting', { replicas: 1 })
    const [set] = (await replicaSets().list({ labelSelector: { app: 'adopting' } })).items
    await deployments().delete('adopting', { propagationPolicy: 'Orphan' })
    await cluster.pass(1000)
    assert.equal((await replicaSets().get(set!)).metadata.ownerReferences, undefined)
    await create('adopting', { replicas: 1 })
    await cluster.pass(1000)
    const deployment = await deployments().get('adopting')
    assert.deepEqual(
      (await replicaSets().get(set!)).metadata.ownerReferences?.map(({ uid }) => uid),
      [deployment.metadata.uid]
    )
    assert.equal((await replicaSets().list({ labelSelector: { app: 'adopting' } })).items.length, 1)
    await replicaSets().patch(set!, { metadata: { labels: { app: 'released' } } })
    await cluster.pass(1000)
    assert.equal((await replicaSets().get(set!)).metadata.ownerReferences, undefined)
  })

  test('tells why it cannot create Pods', async () => {
    const quota = { metadata: { name: 'few' }, spec: { hard: { pods: '0' } } }
    await cluster.client.of('v1', 'Namespace').create({ metadata: { name: 'full' } })
    await cluster.client.of('v1', 'ResourceQuota').create({ ...quota, metadata: { name: 'few', namespace: 'full' } })
    await cluster.settle()
    const selector = { matchLabels: { app: 'refused' } }
    const spec = { replicas: 1, selector, template: templateOf('refused') }
    await deployments().create({ metadata: { name: 'refused', namespace: 'full' }, spec } as Draft<Deployment>)
    await cluster.pass(1000)
    const { conditions } = (await deployments().get('refused', { namespace: 'full' })).status
    const failure = conditions?.find(({ type }) => type === 'ReplicaFailure')
    assert.deepEqual([failure?.status, failure?.reason], ['True', 'FailedCreate'])
    assert.match(
      failure!.message!,
      /^pods "refused-\S+" is forbidden: exceeded quota: few, requested: pods=1, used: pods=0, limited: pods=0$/
    )
  })
})
