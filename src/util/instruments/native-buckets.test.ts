import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joinedInPairs, NativeBuckets, zeroThreshold } from './native-buckets.js'

const observed = (...values: number[]): NativeBuckets => {
  const buckets = new NativeBuckets()
  for (const value of values) buckets.observe(value)
  return buckets
}

/** The lower and the upper limit of a bucket. */
const limitsOf = (bucket: number, schema: number) => [2 ** ((bucket - 1) / 2 ** schema), 2 ** (bucket / 2 ** schema)] as const

describe('native buckets', () => {
  it('have powers of two as limits, which belong to the bucket below', () => {
    const { counts, schema } = observed(0.25, 0.5, 1, 1.0001, 2, 3, 4, 1024)
    assert.equal(schema, 3)
    assert.deepEqual(
      [...counts].sort(([a], [b]) => a - b),
      [
        [-16, 1],
        [-8, 1],
        [0, 1],
        [1, 1],
        [8, 1],
        [13, 1],
        [16, 1],
        [80, 1]
      ]
    )
  })

  it('hold what is between their limits, however small or large', () => {
    for (let i = 0; i < 2000; i++) {
      const value = 2 ** ((i - 1000) / 9) * 1.0123
      const [[bucket] = [Number.NaN]] = observed(value).counts
      const [low, high] = limitsOf(bucket, 3)
      if (value > zeroThreshold)
        assert.ok(low * (1 - 1e-12) < value && value <= high * (1 + 1e-12), `${value} in ${low}..${high}`)
      else assert.equal(observed(value).zero, 1)
    }
  })

  it('count zero apart, and what is no number not at all', () => {
    const { zero, counts } = observed(0, -1, zeroThreshold, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_VALUE)
    assert.equal(zero, 3)
    assert.deepEqual(
      [...counts],
      [
        [8193, 1],
        [8192, 1]
      ]
    )
  })

  it('become twice as wide when there are too many, and lose nothing', () => {
    const values = Array.from({ length: 500 }, (_, i) => 1.1 ** (i - 200))
    const { counts, schema } = observed(...values)
    assert.ok(counts.size <= 160, String(counts.size))
    assert.equal(schema, 1)
    assert.equal(
      [...counts.values()].reduce((a, b) => a + b),
      500
    )
    for (const [bucket, count] of counts) {
      const [low, high] = limitsOf(bucket, schema)
      assert.equal(values.filter(value => low < value && value <= high).length, count, `${low}..${high}`)
    }
  })

  it('are joined with the bucket below', () => {
    const joined = joinedInPairs(
      new Map([
        [-3, 1],
        [-2, 2],
        [-1, 4],
        [0, 8],
        [1, 16],
        [2, 32],
        [3, 64]
      ])
    )
    assert.deepEqual(
      [...joined],
      [
        [-1, 3],
        [0, 12],
        [1, 48],
        [2, 64]
      ]
    )
  })

  it('begin anew after a reset', () => {
    const buckets = observed(0, 1)
    buckets.reset()
    assert.deepEqual([buckets.zero, buckets.counts.size], [0, 0])
  })
})
