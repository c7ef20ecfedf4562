import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFieldSelector } from './fields.js'

test('terms are evaluated in alphabetical order', () => {
  assert.throws(() => parseFieldSelector('b>1,a>1'), /can't understand 'a>1'/)
  assert.deepEqual(
    parseFieldSelector('b!=2,a=1').map(({ field }) => field),
    ['a', 'b']
  )
})
