import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ArrayList } from '../../apimachinery/cel/values/value.js'
import { jsonPatchMutation } from './json-patch-mutation.js'
import { MutationError } from './mutation-error.js'

test('the items of a list of operations must be operations', () => {
  const patched = (...items: string[]) => jsonPatchMutation({ a: 1 }, new ArrayList(items))
  assert.deepEqual(patched(), { a: 1 })
  assert.throws(() => patched('x'), MutationError)
})
