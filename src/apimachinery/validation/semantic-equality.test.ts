import assert from 'node:assert/strict'
import { test } from 'node:test'
import { semanticDeepEqual } from './semantic-equality.js'

test('empty, null and missing lists are the same at every depth', () => {
  for (const nothing of [undefined, null, []]) {
    assert.ok(semanticDeepEqual(nothing, undefined))
    assert.ok(semanticDeepEqual({ a: { b: nothing } }, { a: {} }))
    assert.ok(semanticDeepEqual({ a: {} }, { a: { b: nothing } }))
    assert.ok(!semanticDeepEqual(nothing, 0))
    assert.ok(!semanticDeepEqual([1], nothing))
  }
})

test('an empty object is other than a missing one, and items count in their order', () => {
  assert.ok(!semanticDeepEqual({ a: {} }, {}))
  assert.ok(!semanticDeepEqual([1, 2], [1, 3]))
  assert.ok(!semanticDeepEqual([1], [1, 2]))
  assert.ok(!semanticDeepEqual({}, { constructor: 1 }))
  assert.ok(semanticDeepEqual({ a: [1], b: 'x' }, { b: 'x', a: [1] }))
})
