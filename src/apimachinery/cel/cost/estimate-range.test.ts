import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, fixed, multiply, scale, union, unknownSize, unlimited } from './estimate-range.js'

test('ranges add, multiply and scale by their ends', () => {
  assert.deepEqual(add(fixed(1), { min: 2, max: 3 }, fixed(4)), { min: 7, max: 8 })
  assert.deepEqual(multiply({ min: 2, max: 3 }, { min: 4, max: 5 }), { min: 8, max: 15 })
  assert.deepEqual(scale({ min: 1, max: 11 }, 0.1), { min: 1, max: 2 }, 'rounded up')
  assert.deepEqual(union({ min: 2, max: 3 }, { min: 1, max: 2 }), { min: 1, max: 3 })
})

test('ranges saturate at the largest value', () => {
  assert.deepEqual(add(unknownSize, fixed(1)), { min: 1, max: unlimited })
  assert.deepEqual(multiply(unknownSize, fixed(2)), unknownSize)
  assert.deepEqual(scale(unknownSize, 2), unknownSize)
})
