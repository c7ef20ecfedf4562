import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TokenBuckets } from './token-buckets.js'

const clock = { at: 0, now: () => clock.at, setTimeout: () => ({ cancel() {} }) }

it('a bucket has tokens for a burst, gets more as time goes by, and never more than a burst', () => {
  const buckets = new TokenBuckets({ qps: 2, burst: 3, cacheSize: 10 }, clock)
  const take = (times: number) => Array.from({ length: times }, () => buckets.take('a')).filter(Boolean).length
  assert.equal(take(5), 3)
  assert.equal(buckets.take('b'), true)
  clock.at += 500
  assert.equal(take(5), 1)
  clock.at += 60_000
  assert.equal(take(5), 3)
})

it('a bucket gets nothing while no time goes by, or the clock is set back', () => {
  const buckets = new TokenBuckets({ qps: 1000, burst: 1, cacheSize: 10 }, clock)
  assert.deepEqual([buckets.take('a'), buckets.take('a')], [true, false])
  clock.at -= 5000
  assert.equal(buckets.take('a'), false)
  clock.at += 5001
  assert.equal(buckets.take('a'), true)
})

it('the bucket that was used longest ago is forgotten', () => {
  const buckets = new TokenBuckets({ qps: 1, burst: 1, cacheSize: 2 }, clock)
  assert.deepEqual(
    ['a', 'b', 'a', 'c', 'a', 'b'].map(key => buckets.take(key)),
    [true, true, false, true, false, true]
  )
})
