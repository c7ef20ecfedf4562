import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadSchema } from '../schema/load.js'
import { compare } from './compare.js'

it('takes items that are no objects, which a custom resource may have before it is validated', () => {
  const pod = (containers: unknown) => ({ spec: { containers } })
  const { changed } = compare(loadSchema().type('core.v1.Pod'), pod([]), pod([null, 'x', { name: 'a' }]))
  assert.deepEqual(Object.keys((changed as any)['f:spec']['f:containers']), ['k:{"name":""}', 'k:{"name":"a"}'])
})
