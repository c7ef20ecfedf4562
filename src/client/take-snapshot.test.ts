import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { takeSnapshot } from './take-snapshot.js'
import { portless } from './testing/portless.js'

const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'courses.school.example.com' },
  spec: {
    group: 'school.example.com',
    scope: 'Namespaced',
    names: { plural: 'courses', kind: 'Course' },
    versions: [
      { name: 'v1', served: true, storage: true, schema, subresources: { status: {} } },
      { name: 'v1beta1', served: true, storage: false, schema }
    ]
  }
}
const inNamespace = (apiVersion: string, kind: string, name: string, namespace: string, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace },
  ...rest
})
const cluster = [
  definition,
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } },
  inNamespace('school.example.com/v1', 'Course', 'algebra', 'shop'),
  inNamespace('v1', 'Secret', 'password', 'shop', { stringData: { a: 'b' } }),
  inNamespace('v1', 'Secret', 'token', 'shop', { type: 'bootstrap.kubernetes.io/token', stringData: { a: 'b' } }),
  inNamespace('v1', 'ConfigMap', 'settings', 'shop'),
  inNamespace('v1', 'ConfigMap', 'settings', 'other'),
  inNamespace('coordination.k8s.io/v1', 'Lease', 'leader', 'shop'),
  inNamespace('discovery.k8s.io/v1', 'EndpointSlice', 'web-1', 'shop', { addressType: 'IPv4', endpoints: [] }),
  {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'p', namespace: 'shop' }
  },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hooks' }
  },
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'builders' }, rules: [] }
]
/** The objects of a list that the test itself made or that stand for those of the server. */
const namesIn = ({ items }: { items: readonly any[] }) =>
  items
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ? `${metadata.namespace}/` : ''}${metadata.name}`)
    .filter(name => !/^ServiceAccount |^Namespace (kube-|default)/.test(name))

describe('takeSnapshot', () => {
  test('takes the state of a cluster, with which another server starts', async t => {
    const server = await portless(t)
    const client = server.client()
    const applied = await server.apply(cluster)
    const courses = client.untyped('school.example.com/v1', 'Course')
    await courses.subresource('status').patch('algebra', { status: { seats: 3 } }, { namespace: 'shop' })
    const { apiVersion, kind, metadata } = applied[3]!
    const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid! }
    const owned = {
      ...inNamespace('v1', 'ConfigMap', 'owned', 'shop'),
      metadata: { name: 'owned', namespace: 'shop', ownerReferences: [owner] }
    }
    const held = { name: 'held', namespace: 'shop', finalizers: ['example.com/hold'] }
    await server.apply([owned, { apiVersion: 'v1', kind: 'ConfigMap', metadata: held }])
    await client.of('v1', 'ConfigMap').delete('held', { namespace: 'shop' })

    const list = await takeSnapshot(client)
    assert.deepEqual(namesIn(list), [
      'CustomResourceDefinition courses.school.example.com',
      'Namespace other',
      'Namespace shop',
      'ConfigMap other/settings',
      'ConfigMap shop/owned',
      'ConfigMap shop/settings',
      'ClusterRole builders',
      'Course shop/algebra'
    ])
    assert.ok(!JSON.stringify(list).includes('managedFields'))

    const other = await portless(t)
    // as a file has it
    const errors: Error[] = []
    await other.apply(JSON.parse(JSON.stringify(list)), { onWarning() {}, onError: error => errors.push(error) })
    assert.deepEqual(errors, [])
    const course = await other.client().untyped('school.example.com/v1', 'Course').get('algebra', { namespace: 'shop' })
    assert.deepEqual(course.status, { seats: 3 })
    const map = await other.client().of('v1', 'ConfigMap').get('owned', { namespace: 'shop' })
    assert.deepEqual(map.metadata.ownerReferences, [{ ...owner, uid: course.metadata.uid }])
  })

  test('takes Secrets, namespaces and kinds that are asked for', async t => {
    const server = await portless(t)
    const client = server.client()
    await server.apply(cluster)
    const withSecrets = namesIn(await takeSnapshot(client, { secrets: true, namespaces: ['shop'] }))
    assert.ok(withSecrets.includes('Secret shop/password'))
    assert.ok(!withSecrets.includes('Secret shop/token'))
    assert.ok(!withSecrets.some(name => name.includes('other')))
    assert.ok(withSecrets.includes('ClusterRole builders'))
    const kinds = ['events', 'courses.school.example.com', 'validatingwebhookconfigurations.admissionregistration.k8s.io']
    assert.deepEqual(namesIn(await takeSnapshot(client, { kinds, namespaces: ['shop'] })), [
      'CustomResourceDefinition courses.school.example.com',
      'Namespace shop',
      'Event shop/e',
      'ValidatingWebhookConfiguration hooks',
      'Course shop/algebra'
    ])
    await assert.rejects(
      takeSnapshot(client, { kinds: ['deployments'] }),
      /takeSnapshot.kinds: the cluster has no resource "deployments"/
    )
    await assert.rejects(takeSnapshot(client, { secret: true } as object), /takeSnapshot\.secret/)
  })

  test('reads page by page, and begins a list again whose pages have expired', async t => {
    const server = await portless(t)
    const maps = Array.from({ length: 600 }, (_, i) => inNamespace('v1', 'ConfigMap', `m${i}`, 'default'))
    await server.client().writeSet(maps.map(object => ({ object })))
    const count = async (warnings: string[]) => {
      const { items } = await takeSnapshot(server.client(), { kinds: ['configmaps'], onWarning: text => warnings.push(text) })
      return items.filter(({ kind }) => kind === 'ConfigMap').length
    }
    const warnings: string[] = []
    const once = server.faults.add({ verb: 'list', resource: 'configmaps', after: 1, times: 1, status: 410 })
    assert.equal(await count(warnings), 600)
    assert.equal(once.hits.length, 1)
    assert.deepEqual(warnings, [])
    const always = server.faults.add({ verb: 'list', resource: 'configmaps', after: 1, status: 410 })
    assert.equal(await count(warnings), 0)
    assert.equal(always.hits.length, 3)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0]!, /^configmaps: /)
  })

  test('leaves out what may not be read, with a warning', async t => {
    const server = await portless(t)
    await server.apply(cluster)
    const rule = { apiGroups: [''], resources: ['configmaps', 'namespaces'], verbs: ['get', 'list'] }
    await server.apply([
      inNamespace('rbac.authorization.k8s.io/v1', 'Role', 'reader', 'shop', { rules: [rule] }),
      inNamespace('rbac.authorization.k8s.io/v1', 'RoleBinding', 'reader', 'shop', {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }]
      })
    ])
    const warnings: string[] = []
    const list = await takeSnapshot(server.as('alice'), { namespaces: ['shop'], onWarning: text => warnings.push(text) })
    assert.deepEqual(namesIn(list), ['Namespace shop', 'ConfigMap shop/settings'])
    assert.ok(warnings.some(text => /^pods in shop: pods is forbidden: User "alice" cannot list/.test(text)))
    assert.ok(warnings.some(text => /^nodes: nodes is forbidden/.test(text)))
  })
})
