import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ShareOverTime } from './share-over-time.js'

describe('a share over time', () => {
  it('is observed for every nanosecond', () => {
    const share = new ShareOverTime([0, 0.5, 1], 0)
    share.setLimit(4, 1)
    share.set(2, 2)
    share.add(4, 5)
    share.settle(5.5)
    const { counts, count } = share.observed
    // the time above all limits is in the count alone
    assert.deepEqual([...counts, count], [2e6, 3e6, 0, 5.5e6])
    assert.equal(share.observed.sum, 0.5 * 3e6 + 1.5 * 0.5e6)
  })
})
