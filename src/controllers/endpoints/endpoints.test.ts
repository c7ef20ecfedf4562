import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { KubeObject } from '../../apimachinery/api/kube-object.js'
import { portless } from '../../client/testing/portless.js'
import { until } from '../../client/until.js'
import { FakeClock } from '../../testkit/fake-clock.js'

const web = (name: string) => ({
  metadata: { name, labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] }
})

describe('endpoints in a simulated cluster', () => {
  test('follow the Pods, are not written without need, and go with the Service', async t => {
    const clock = new FakeClock()
    const server = await portless(t, { clock, storageBackend: 'memory', simulate: { nodes: 2 } })
    const client = server.client()
    const [pods, services] = [client.of('v1', 'Pod'), client.of('v1', 'Service')]
    await services.create({ metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } })
    await pods.create(web('one'))
    await pods.create(web('two'))
    const endpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'default' } } as const
    const withTwo = await until(client, endpoints, object => object.subsets?.[0]?.addresses?.length === 2)
    const slices = async () =>
      (await client.of('discovery.k8s.io/v1', 'EndpointSlice').list({ labelSelector: 'kubernetes.io/service-name=web' })).items
    await clock.pass(1000)
    const [slice] = await slices()
    assert.equal(slice!.endpoints!.length, 2)
    await pods.patch('one', { metadata: { annotations: { note: 'nobody is interested' } } })
    await clock.pass(600_000)
    assert.equal((await slices())[0]!.metadata.resourceVersion, slice!.metadata.resourceVersion)
    const present = await client.of('v1', 'Endpoints').get('web')
    assert.equal(present.metadata.resourceVersion, withTwo.metadata.resourceVersion)
    await pods.delete('one')
    await until(client, endpoints, object => object.subsets?.[0]?.addresses?.length === 1)
    await services.delete('web')
    await until(client, endpoints, { deleted: true })
  })

  test('what somebody breaks is mended', async t => {
    const server = await portless(t, { storageBackend: 'memory', simulate: { nodes: 1 } })
    const client = server.client()
    await client
      .of('v1', 'Service')
      .create({ metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } })
    await client.of('v1', 'Pod').create(web('one'))
    const endpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'web', namespace: 'default' } } as const
    const made = await until(client, endpoints, object => !!object.subsets?.[0]?.addresses)
    await client.of('v1', 'Endpoints').delete('web')
    const again = await until(client, endpoints, object => object.metadata.uid !== made.metadata.uid)
    assert.ok(again.subsets?.[0]?.addresses)
    const slices = client.of('discovery.k8s.io/v1', 'EndpointSlice')
    const find = async () => (await slices.list({ labelSelector: 'kubernetes.io/service-name=web' })).items[0]
    const slice = (await find())!
    await slices.delete(slice)
    while (!(await find())) await new Promise(resolve => setImmediate(resolve))
    assert.notEqual((await find())!.metadata.uid, slice.metadata.uid)
  })

  test('a slice without endpoints owns no lists, until it has had some', async t => {
    const server = await portless(t, { storageBackend: 'memory', simulate: { nodes: 1 } })
    const client = server.client()
    await client
      .of('v1', 'Service')
      .create({ metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } })
    const slices = client.of('discovery.k8s.io/v1', 'EndpointSlice')
    const sliceWith = async (count: number) => {
      for (;;) {
        const [slice] = (await slices.list({ labelSelector: 'kubernetes.io/service-name=web' })).items
        if (slice && (slice.endpoints?.length ?? 0) === count) return slice
        await new Promise(resolve => setImmediate(resolve))
      }
    }
    const ownedLists = ({ metadata }: KubeObject) =>
      metadata.managedFields!.flatMap(({ fieldsV1 }) => ['f:endpoints', 'f:ports'].filter(field => field in (fieldsV1 as object)))
    const empty = await sliceWith(0)
    assert.deepEqual([empty.endpoints, empty.ports], [null, null])
    assert.deepEqual(ownedLists(empty), [])
    await client.of('v1', 'Pod').create(web('one'))
    assert.deepEqual(ownedLists(await sliceWith(1)), ['f:endpoints', 'f:ports'])
    await client.of('v1', 'Pod').delete('one')
    assert.deepEqual(ownedLists(await sliceWith(0)), ['f:endpoints', 'f:ports'])
  })
})
