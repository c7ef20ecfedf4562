import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ArrayList, Optional, type Value } from '../values/value.js'
import { actualSize, traversalCost } from './sizes.js'

test('sizes count characters, elements and entries', () => {
  const table: [value: Value, size: number][] = [
    ['héllo😀', 6],
    [new Uint8Array(3), 3],
    [new ArrayList([1n, 2n]), 2],
    [Optional.of('abc'), 3],
    [Optional.none, 1],
    [7n, 1],
    [null, 1]
  ]
  for (const [value, size] of table) assert.equal(actualSize(value), size)
})

test('the traversal cost of a value covers its contents; a text costs a tenth of its bytes', () => {
  assert.equal(traversalCost('é'.repeat(10)), 2)
  assert.equal(traversalCost(new Uint8Array(29)), 2)
  assert.equal(traversalCost(new ArrayList([1n, 'x'.repeat(20), new ArrayList([true])])), 4)
  assert.equal(traversalCost(null), 1)
})
