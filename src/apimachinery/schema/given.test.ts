import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneDecoded, decode, settle } from './decode.js'
import { asGiven, given } from './given.js'
import { loadSchema } from './load.js'

const type = loadSchema().type('core.v1.Pod')
const pod = () => decode(type, { metadata: { labels: {} }, spec: { containers: [], tolerations: [], nodeSelector: {} } }).object

test('an empty list or map that a client gave is remembered until the object is settled', () => {
  const object = pod()
  assert.equal(JSON.stringify(object.spec), '{"containers":[]}')
  assert.deepEqual(given(object.spec, 'tolerations'), [])
  assert.equal(given(object.spec, 'volumes'), undefined)
  assert.deepEqual(asGiven(object.metadata), { labels: {} })
  settle(type, object)
  assert.equal(given(object.spec, 'tolerations'), undefined)
  assert.equal(object.spec.containers, null)
})

test('copies keep the given empty values, and a later value takes precedence', () => {
  const copy = cloneDecoded(pod())
  const spec = { ...copy.spec, tolerations: [{ key: 'a' }] }
  assert.deepEqual(asGiven(spec), { containers: [], tolerations: [{ key: 'a' }], nodeSelector: {} })
  settle(type, copy)
  assert.equal(given(copy.spec, 'nodeSelector'), undefined)
})
