import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SeededRandomness } from './seeded-randomness.js'

it('gives each purpose the same numbers, whoever asks first and however late', () => {
  const one = new SeededRandomness('seed')
  const early = [one.apart('a').fraction(), one.apart('b').fraction()]
  const other = new SeededRandomness('seed')
  other.uuid()
  const late = [other.apart('b').fraction(), other.apart('a').fraction()]
  assert.deepEqual(late.toReversed(), early)
  assert.notEqual(early[0], early[1])
  one.uuid()
  assert.equal(other.fraction(), one.fraction())
})
