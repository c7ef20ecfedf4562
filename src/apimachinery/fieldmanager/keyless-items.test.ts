import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSchema } from '../schema/load.js'
import { compare } from './compare.js'
import { omitsKey } from './keyless-items.js'
import { placeOf } from './place.js'

const type = (name: string) => loadSchema().type(name)
const omits = (name: string, object: object) => omitsKey(placeOf(type(name)), object)

test('finds items that omit an optional key, at any depth', () => {
  assert.equal(omits('core.v1.ServiceAccount', { secrets: [{ name: 'a' }, {}] }), true)
  assert.equal(omits('core.v1.ServiceAccount', { secrets: [{ name: 'a' }] }), false)
  assert.equal(omits('core.v1.ServiceAccountList', { items: [{}, { secrets: [{}] }] }), true)
})

test('keys that are required or have a default are not missed', () => {
  assert.equal(omits('core.v1.Pod', { spec: { containers: [{}], imagePullSecrets: [{}] } }), false)
})

test('an item without a key cannot be compared, also where it does not change', () => {
  const object = { metadata: {}, secrets: [{}] }
  assert.throws(
    () => compare(type('core.v1.ServiceAccount'), object, { ...object, imagePullSecrets: [{ name: 'a' }] }),
    /omits all key/
  )
  assert.throws(() => compare(type('core.v1.ServiceAccount'), object, { metadata: {} }), /omits all key/)
})
