import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RetryAfter } from './retry-after.js'

describe('the wait of refused clients', () => {
  const refuse = (retryAfter: RetryAfter, second: number, count: number, level = 'low') => {
    let seconds = 0
    for (let i = 0; i < count; i++) seconds = retryAfter.refused(level, (1000 + second) * 1000)
    return seconds
  }

  it('is a second at first, and doubles while many are refused', () => {
    const retryAfter = new RetryAfter()
    assert.equal(refuse(retryAfter, 0, 100), 1)
    assert.equal(refuse(retryAfter, 1, 100), 2)
    assert.equal(refuse(retryAfter, 2, 100), 2)
    assert.equal(refuse(retryAfter, 3, 100), 4)
    let seconds = 0
    for (let second = 4; second < 100; second++) seconds = refuse(retryAfter, second, 1000)
    assert.equal(seconds, 32)
  })

  it('falls a second at a time after few refusals', () => {
    const retryAfter = new RetryAfter()
    for (let second = 0; second < 4; second++) refuse(retryAfter, second, 100)
    assert.equal(refuse(retryAfter, 20, 1), 3)
    assert.equal(refuse(retryAfter, 21, 1), 2)
    assert.equal(refuse(retryAfter, 22, 1), 2)
    assert.equal(refuse(retryAfter, 40, 1), 1)
    assert.equal(refuse(retryAfter, 60, 1), 1)
  })

  it('is found for each level, and forgotten with it', () => {
    const retryAfter = new RetryAfter()
    refuse(retryAfter, 0, 100)
    assert.equal(refuse(retryAfter, 1, 1), 2)
    assert.equal(refuse(retryAfter, 1, 1, 'high'), 1)
    retryAfter.keepOnly(level => level === 'high')
    assert.equal(refuse(retryAfter, 1, 1), 1)
  })
})
