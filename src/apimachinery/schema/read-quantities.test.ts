import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integerValue, milliValue } from '../../util/quantity.js'
import { cloneDecoded, decode } from './decode.js'
import { loadSchema } from './load.js'
import { quantityIn } from './read-quantities.js'

const capacity = (storage: unknown) =>
  decode(loadSchema().type('core.v1.PersistentVolume'), { spec: { capacity: { storage } } }).object.spec.capacity

test('a quantity that Go holds as a big decimal rounds as such, although its canonical text would not', () => {
  const list = capacity('-1.00001Ki')
  assert.deepEqual(list, { storage: '-1024011m' })
  assert.equal(integerValue(quantityIn(list, 'storage')), -1023n)
  assert.equal(integerValue(quantityIn(capacity(list.storage), 'storage')), -1025n)
  // with the spaces that Go takes off, and rounded to thousandths, of which 64 bits are left
  assert.equal(milliValue(quantityIn(capacity(' 7Ei '), 'storage')), BigInt.asIntN(64, 7n * 2n ** 60n * 1000n))
})

test('a copy of a decoded object knows its quantities, too', () => {
  const { object } = decode(loadSchema().type('core.v1.PersistentVolume'), { spec: { capacity: { storage: '-1.00001Ki' } } })
  assert.equal(integerValue(quantityIn(cloneDecoded(object).spec.capacity, 'storage')), -1023n)
})

test('a quantity that has been changed since is read from its text', () => {
  const list = capacity('-1.00001Ki')
  list.storage = '-1.5'
  assert.equal(integerValue(quantityIn(list, 'storage')), -2n)
})
