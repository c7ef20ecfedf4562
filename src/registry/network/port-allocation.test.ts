import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrap } from '../../apimachinery/formats/protobuf/envelope.js'
import { isAllocated, newAllocation, reallocated } from './port-allocation.js'

/** An allocation of the range with bits 0 and 2. */
const given = wrap('v1', 'RangeAllocation', Buffer.from('0a00120b33303030302d33323736371a0105', 'hex'))
const stored = reallocated(given, [], [])
const ports = (value: Buffer) => [30000, 30001, 30002, 30009, 32767].filter(port => isAllocated(value, port))

test('the lowest bit is the first port', () => {
  assert.deepEqual(ports(given), [30000, 30002])
})

test('a reallocation adds and removes ports, and keeps other ports and the range', () => {
  const changed = reallocated(stored, [30009, 32767], [30000])
  assert.deepEqual(ports(changed), [30002, 30009, 32767])
  assert.deepEqual(reallocated(changed, [30000], [30009, 32767]), stored)
  assert.deepEqual(ports(reallocated(stored, [], [30000, 30002])), [])
})

test('a first allocation has the form that kube-apiserver writes', () => {
  assert.deepEqual(ports(newAllocation('30000-32767', [30000, 30002])), [30000, 30002])
  assert.deepEqual(reallocated(newAllocation('30000-32767', []), [30009], []), newAllocation('30000-32767', [30009]))
})

test('a port below the range is not allocated', () => {
  assert.equal(isAllocated(stored, 80), false)
  assert.deepEqual(reallocated(stored, [80], [81]), stored)
})
