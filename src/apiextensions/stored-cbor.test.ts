/** Custom resources in the store as kube-apiserver has them in etcd with the feature gate CBORServingAndStorage, and without it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CustomResourceDefinition } from '../apimachinery/api/generated/apiextensions-v1.js'
import { isCbor } from '../apimachinery/formats/cbor/stored.js'
import type { Resource } from '../registry/resource.js'
import type { Store } from '../storage/contract.js'
import { openMemoryStore } from '../storage/memory/store.js'
import { Metrics } from '../util/instruments/metrics.js'
import { DefinitionMetrics } from './definition-metrics.js'
import { resourcesOf } from './resources.js'

const schema = { type: 'object', properties: { spec: { type: 'object', properties: { n: { type: 'integer' } } } } }
const version = (name: string, storage: boolean) => ({ name, served: true, storage, schema: { openAPIV3Schema: schema } })
const names = { plural: 'widgets', kind: 'Widget', listKind: 'WidgetList', singular: 'widget' }
const definition = {
  metadata: { name: 'widgets.example.com' },
  spec: { group: 'example.com', names, scope: 'Namespaced', versions: [version('v1', true), version('v2', false)] },
  status: { acceptedNames: names }
} as unknown as CustomResourceDefinition

function resources(store: Store, storesCbor: boolean): Record<string, Resource> {
  const parts = {
    store,
    storesCbor,
    now: () => 0,
    uuid: () => '',
    webhooks: undefined as never,
    metrics: new DefinitionMetrics(new Metrics()),
    life: { terminating: false },
    schemaOf: () => schema
  }
  return Object.fromEntries(resourcesOf(definition, parts).map(resource => [resource.memoryVersion.name, resource]))
}

const widget = (apiVersion: string) => ({
  apiVersion: `example.com/${apiVersion}`,
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default', uid: '11111111-1111-1111-1111-111111111111' },
  spec: { n: 1 }
})

async function write(store: Store, resource: Resource): Promise<Buffer> {
  const key = `${resource.prefix}default/w`
  const result = await store.commit([{ key, ...resource.stored(widget(resource.memoryVersion.name)) }])
  assert.ok(result.ok)
  return (await store.get(key))!.value
}

const shown = (resource: Resource) => resource.get('default', 'w')!.bytes.toString()

describe('stored custom resources', () => {
  it('are CBOR with the gate, and shown in every version at once', async () => {
    const store = openMemoryStore()
    const { v1, v2 } = resources(store, true) as { v1: Resource; v2: Resource }
    await Promise.all([v1.cache.load(), v2.cache.load()])
    for (const writer of [v1, v2]) {
      assert.ok(isCbor(await write(store, writer)))
      for (const reader of [v1, v2]) {
        const { apiVersion, metadata, spec } = JSON.parse(shown(reader))
        assert.deepEqual([apiVersion, spec], [`example.com/${reader.memoryVersion.name}`, { n: 1 }])
        assert.equal(metadata.resourceVersion, String(store.seenRevision))
      }
    }
    await store.close()
  })

  for (const gate of [true, false])
    it(`are read in both forms ${gate ? 'with' : 'without'} the gate, and written again in one`, async () => {
      const store = openMemoryStore()
      const other = resources(store, !gate).v1!
      assert.equal(isCbor(await write(store, other)), !gate)
      const resource = resources(store, gate).v1!
      await resource.cache.load()
      assert.deepEqual(JSON.parse(shown(resource)).spec, { n: 1 })
      // so that an update that changes nothing is written all the same
      assert.equal(resource.get('default', 'w')!.stale, true)
      assert.equal(isCbor(await write(store, resource)), gate)
      assert.ok(!resource.get('default', 'w')!.stale)
      await store.close()
    })
})
