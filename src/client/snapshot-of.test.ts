import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { snapshotOf, type UntypedObject } from './index.js'
import { portless, widgets } from './testing/portless.js'

const onWarning = () => {}
const nameOf = ({ kind, metadata }: UntypedObject) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`

describe('what a cluster holds', () => {
  test('is taken with definitions first, and another server goes on from it', async t => {
    const client = (await portless(t)).client()
    await client.apply([
      widgets(),
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
      { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'shop' }, size: 3 },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop' }, stringData: { key: 'x' } }
    ])
    const owner = await client.untyped('example.com/v1', 'Widget').get('w', { namespace: 'shop' })
    const { uid } = owner.metadata
    await client.of('v1', 'ConfigMap').create({
      metadata: {
        name: 'owned',
        namespace: 'shop',
        ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: uid! }]
      },
      data: { a: '1' }
    })
    for (let i = 0; i < 7; i++) await client.of('v1', 'ConfigMap').create({ metadata: { name: `m${i}` } })
    const told: { resource: string; objects: number }[] = []
    const objects = await snapshotOf(client, { pageSize: 3, progress: progress => told.push(progress) })
    const names = objects.map(nameOf)
    assert.ok(
      names.indexOf('CustomResourceDefinition /widgets.example.com') < names.findIndex(name => !/^(Namespace|Custom)/.test(name))
    )
    assert.ok(names.indexOf('Widget shop/w') < names.indexOf('ConfigMap shop/owned'))
    assert.deepEqual(
      told
        .filter(({ resource }) => resource === 'configmaps')
        .map(({ objects }) => objects)
        .slice(0, 3),
      [3, 6, 9]
    )
    assert.deepEqual(
      names.filter(name => /^(Secret|Lease|Event|ClusterRole|FlowSchema|APIService) |kube-root-ca|^Service default/.test(name)),
      []
    )

    const other = (await portless(t)).client()
    await other.apply(objects, { onWarning })
    const owned = await other.of('v1', 'ConfigMap').get('owned', { namespace: 'shop' })
    const widget = await other.untyped('example.com/v1', 'Widget').get('w', { namespace: 'shop' })
    assert.deepEqual(owned.data, { a: '1' })
    assert.equal(owned.metadata.ownerReferences?.[0]?.uid, widget.metadata.uid)
    assert.equal(
      (await other.of('v1', 'ConfigMap').list({ namespace: 'default' })).items.filter(m => /^m\d/.test(m.metadata.name)).length,
      7
    )
  })

  test('is taken by namespaces and kinds, and with Secrets when they are asked for', async t => {
    const client = (await portless(t)).client()
    await client.of('v1', 'Namespace').create({ metadata: { name: 'shop' } })
    for (const namespace of ['shop', 'default']) {
      await client.of('v1', 'ConfigMap').create({ metadata: { name: 'a', namespace } })
      await client.of('v1', 'Secret').create({ metadata: { name: 'b', namespace } })
    }
    const kinds = ['Namespace', 'ConfigMap', 'Secret']
    const options = { namespaces: ['shop'], kinds }
    assert.deepEqual((await snapshotOf(client, options)).map(nameOf), ['Namespace /shop', 'ConfigMap shop/a'])
    const withSecrets = (await snapshotOf(client, { ...options, secrets: true })).map(nameOf)
    assert.deepEqual(withSecrets, ['Namespace /shop', 'ConfigMap shop/a', 'Secret shop/b'])
  })
})
