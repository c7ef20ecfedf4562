/** Which objects belong to a node. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { loadSchema } from '../../../apimachinery/schema/load.js'
import { builtinKinds } from '../../../kinds/index.js'
import { Registry } from '../../../registry/registry.js'
import { Resource } from '../../../registry/resource.js'
import { openMemoryStore } from '../../../storage/memory/store.js'
import { NodeRelations } from './relations.js'

const store = openMemoryStore()
const registry = new Registry()
const relations = new NodeRelations(registry)
const served = ['/pods', '/persistentvolumes', 'resource.k8s.io/resourceslices', 'storage.k8s.io/volumeattachments']

before(async () => {
  for (const kind of builtinKinds)
    if (served.includes(`${kind.group}/${kind.resource}`)) {
      const versions = kind.versions.filter(version => version.served !== false)
      const resource = new Resource({ kind, versions, store, types: loadSchema(), now: () => 0 })
      await resource.cache.load()
      registry.add(resource)
    }
})

let uids = 0

async function put(group: string, plural: string, name: string, object: object, namespace = ''): Promise<void> {
  const resource = registry.resource(group, plural)
  const uid = `00000000-0000-4000-8000-${String(uids++).padStart(12, '0')}`
  const { metadata = {}, ...rest } = object as { metadata?: object }
  const whole = { metadata: { name, uid, ...(namespace === '' ? {} : { namespace }), ...metadata }, ...rest }
  const key = `${resource.prefix}${namespace === '' ? '' : `${namespace}/`}${name}`
  await store.commit([{ key, ...resource.stored(whole) }])
}

const pod = (name: string, nodeName: string | undefined, spec: object, metadata: object = {}) =>
  put('', 'pods', name, { spec: { nodeName, containers: [], ...spec }, status: {}, metadata }, 'ns')

/** The relations to an object of a name that hold for n1. */
const held = (name: string, namespace = 'ns') =>
  (['configMap', 'secret', 'claim', 'serviceAccount', 'resourceClaim'] as const).filter(what =>
    relations[what]('n1', namespace, name)
  )

test('a Pod and what it names belong to its node', async () => {
  await pod('p', 'n1', {
    serviceAccountName: 'account',
    resourceClaims: [{ name: 'c', resourceClaimName: 'devices' }],
    volumes: [
      { name: 'a', secret: { secretName: 'secret' } },
      { name: 'b', configMap: { name: 'map' } },
      { name: 'c', persistentVolumeClaim: { claimName: 'claim' } }
    ]
  })
  const names = ['account', 'devices', 'secret', 'map', 'claim']
  assert.deepEqual(
    names.map(name => held(name)),
    [['serviceAccount'], ['resourceClaim'], ['secret'], ['configMap'], ['claim']]
  )
  for (const name of names) {
    assert.deepEqual(held(name, 'other'), [])
    assert.deepEqual(held(name, ''), [])
  }
  assert.equal(relations.secret('n2', 'ns', 'secret'), false)
  assert.equal(relations.pod('n1', 'ns', 'p'), true)
  assert.equal(relations.pod('n2', 'ns', 'p'), false)
  assert.equal(relations.pod('n1', 'other', 'p'), false)
  assert.equal(relations.pod('n1', 'ns', 'gone'), false)
})

test('a mirror Pod gives its node nothing', async () => {
  const volumes = [{ name: 'a', secret: { secretName: 'stolen' } }]
  await pod('mirror', 'n1', { volumes }, { annotations: { 'kubernetes.io/config.mirror': 'x' } })
  assert.deepEqual(held('stolen'), [])
  await pod('annotated', 'n1', { volumes }, { annotations: { other: 'x' } })
  assert.deepEqual(held('stolen'), ['secret'])
})

test('a Pod that is not scheduled belongs to no node', async () => {
  await pod('pending', undefined, { volumes: [{ name: 'a', secret: { secretName: 'waiting' } }] })
  assert.deepEqual(held('waiting'), [])
})

test('a volume and its secrets belong to the node of a Pod that claims it', async () => {
  const driver = (secret: object) => ({ csi: { driver: 'd', volumeHandle: 'h', nodeStageSecretRef: secret } })
  const volume = (name: string, spec: object) => put('', 'persistentvolumes', name, { spec, status: {} })
  const claimRef = { namespace: 'ns', name: 'data' }
  await volume('pv', { claimRef, ...driver({ namespace: 'secrets', name: 'disk' }) })
  await volume('unclaimed', driver({ namespace: 'secrets', name: 'spare' }))
  await volume('elsewhere', { claimRef: { ...claimRef, namespace: 'other' }, ...driver({ namespace: 'secrets', name: 'spare' }) })
  const all = () => [relations.volume('n1', '', 'pv'), relations.secret('n1', 'secrets', 'disk')]
  assert.deepEqual(all(), [false, false])
  await pod('q', 'n1', { volumes: [{ name: 'a', persistentVolumeClaim: { claimName: 'data' } }] })
  assert.deepEqual(all(), [true, true])
  assert.equal(relations.volume('n2', '', 'pv'), false)
  assert.equal(relations.volume('n1', '', 'gone'), false)
  assert.equal(relations.volume('n1', '', 'unclaimed'), false)
  assert.equal(relations.volume('n1', '', 'elsewhere'), false)
  assert.equal(relations.secret('n2', 'secrets', 'disk'), false)
  assert.equal(relations.secret('n1', 'secrets', 'spare'), false)
  // the name of the driver is in the volume, too, and another namespace has a secret of this name
  assert.equal(relations.secret('n1', 'secrets', 'd'), false)
  assert.equal(relations.secret('n1', 'ns', 'disk'), false)
})

test('ResourceSlices and VolumeAttachments belong to the node that they name', async () => {
  await put('resource.k8s.io', 'resourceslices', 's', { spec: { driver: 'd', pool: { name: 'p' }, nodeName: 'n1' } })
  await put('storage.k8s.io', 'volumeattachments', 'v', { spec: { attacher: 'a', nodeName: 'n1', source: {} } })
  for (const [relation, name] of [
    ['resourceSlice', 's'],
    ['volumeAttachment', 'v']
  ] as const)
    for (const [node, of, expected] of [
      ['n1', name, true],
      ['n2', name, false],
      ['n1', 'gone', false]
    ] as const)
      assert.equal(relations[relation](node, '', of), expected, `${relation} ${node} ${of}`)
})

test('nothing belongs to a node of what is not served', () => {
  const empty = new NodeRelations(new Registry())
  for (const what of ['pod', 'secret', 'configMap', 'volume', 'volumeAttachment', 'resourceSlice'] as const)
    assert.equal(empty[what]('n1', 'ns', 'secret'), false, what)
})
