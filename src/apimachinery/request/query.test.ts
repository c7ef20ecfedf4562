import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.js'

test('pairs with a semicolon or a broken escape are none', () => {
  assert.deepEqual(
    [...parseQuery('a=1&b;c=2&d=%zz&e=%20')],
    [
      ['a', '1'],
      ['e', ' ']
    ]
  )
})

test('a second question mark is a part of the first name', () => {
  assert.deepEqual(
    [...parseQuery('?limit=1&dryRun=All')],
    [
      ['?limit', '1'],
      ['dryRun', 'All']
    ]
  )
  assert.deepEqual([...parseQuery('a=%&?b=2')], [['?b', '2']])
})
