import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ArrayList, CelError, Optional, UInt, type Value } from '../values/value.js'
import { lookup, qualify } from './qualify.js'

const list = new ArrayList(['a', 'b'])

test('every kind of whole number can index a list', () => {
  for (const index of [1n, 1, new UInt(1n)] as Value[]) assert.equal(qualify(list, index), 'b')
})

test('a missing element is an error for a selection, and undefined for a look-up', () => {
  const table: [container: Value, key: Value, message: string][] = [
    [list, 2n, 'index out of bounds: 2'],
    [list, -1n, 'index out of bounds: -1'],
    [Optional.none, 'k', 'no such key: k'],
    [1n, new UInt(7n), 'no such key: 7']
  ]
  for (const [container, key, message] of table) {
    assert.deepEqual(qualify(container, key), new CelError(message))
    assert.equal(lookup(container, key), undefined)
  }
})

test('a list has no elements at other keys', () => {
  assert.deepEqual(qualify(list, 'a'), new CelError("unsupported index type 'string' in list"))
  assert.deepEqual(qualify(list, 0.5), new CelError('unsupported index value 0.5 in list'))
})

test('an error is passed through', () => {
  const error = new CelError('division by zero')
  assert.equal(qualify(error, 'k'), error)
  assert.equal(qualify(list, error), error)
  assert.equal(lookup(error, 'k'), error)
})
