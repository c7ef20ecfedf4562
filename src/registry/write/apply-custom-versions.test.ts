/** Server-side apply to a custom resource in two versions, of which the older one has a field more. The answers are kube-apiserver's. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createServer } from '../../server/server.js'
import { send } from '../../testkit/send.js'
import { silentLogger } from '../../util/logger.js'

const server = createServer({ log: silentLogger, controllers: [], storageBackend: 'memory' })
const group = 'versions.example.com'
const text = { type: 'string' }
const items = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object', required: ['name'], properties: { name: text, value: text } }
}
const map = { type: 'object', additionalProperties: text }
const schemaOf = (properties: object) => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } }
})

before(async () => {
  await server.start()
  const names = { plural: 'items', singular: 'item', kind: 'Item', listKind: 'ItemList' }
  const versions = [
    { name: 'v1', served: true, storage: true, schema: schemaOf({ items, map, older: map }) },
    { name: 'v2', served: true, storage: false, schema: schemaOf({ items, map }) }
  ]
  await server
    .client()
    .of('apiextensions.k8s.io/v1', 'CustomResourceDefinition')
    .create({ metadata: { name: `items.${group}` }, spec: { group, scope: 'Namespaced', names, versions } } as never)
})
after(() => server.stop())

const write = (version: string, manager: string, given: object, type: string) =>
  send(
    server,
    'PATCH',
    `/apis/${group}/${version}/namespaces/default/items/a?fieldManager=${manager}`,
    { apiVersion: `${group}/${version}`, kind: 'Item', metadata: { name: 'a' }, ...given },
    { type }
  )
const apply = (version: string, manager: string, given: object) => write(version, manager, given, 'application/apply-patch+yaml')

test('an item without an owner stays in a list whose field an applier gave up in another version', async () => {
  await apply('v1', 'two', { spec: { items: [{ name: 'x' }], map: {} } })
  // in v2, too, so that fields are compared in both versions
  await apply('v2', 'one', { metadata: { name: 'a', labels: { a: 'b' } } })
  await write('v1', 'four', { spec: { items: [{ name: 'x', value: '1' }] } }, 'application/merge-patch+json')
  // a field that v2 lacks keeps the write from being tracked
  await write('v1', 'three', { spec: { items: [{ name: 'z' }], older: {} } }, 'application/merge-patch+json')
  const { body } = await apply('v2', 'two', {})
  assert.deepEqual(body.spec, { items: [{ name: 'z' }] })
})
