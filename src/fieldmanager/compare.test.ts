import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadSchema } from '../schema/load.js'
import { compare } from './compare.js'

it('takes items that are no objects, which a custom resource may have before it is validated', () => {
  const pod = (containers: unknown) => ({ spec: { containers } })
  const { changed } = compare(loadSchema().type('core.v1.Pod'), pod([]), pod([null, 'x', { name: 'a' }]))
  assert.deepEqual(Object.keys((changed as any)['f:spec']['f:containers']), ['k:{"name":""}', 'k:{"name":"a"}'])
})

it('takes what a manager lost for gone, not for changed, so that others keep what is around it', () => {
  const type = loadSchema().type('core.v1.ConfigMap')
  const { changed, removed } = compare(type, { metadata: { labels: { a: 'b' } } }, { metadata: { labels: null } })
  assert.equal(changed, undefined)
  assert.deepEqual(Object.keys((removed as any)['f:metadata']['f:labels']), ['f:a'])
})

it('takes an explicit null for the key of an item', () => {
  const { changed } = compare(loadSchema().type('core.v1.Pod'), {}, { spec: { containers: [{ name: null }] } })
  assert.ok((changed as any)['f:spec']['f:containers']['k:{"name":null}'])
})
