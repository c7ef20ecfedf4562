import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shared } from './shared-labels.js'

test('equal labels become one copy, unless they are long', () => {
  assert.equal(shared({ app: 'shared' }), shared({ app: 'shared' }))
  assert.notEqual(shared({ app: 'a', b: 'b' }), shared({ b: 'b', app: 'a' }))
  const long = () => ({ app: 'x'.repeat(3000) })
  assert.notEqual(shared(long()), shared(long()))
})
