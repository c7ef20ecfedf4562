import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deal, flowHash } from './shuffle-sharding.js'

describe('shuffle sharding', () => {
  it('deals the hands that kube-apiserver deals', () => {
    const hand = (schema: string, distinguisher: string, deck: number, size: number) =>
      deal(flowHash(schema, distinguisher), deck, size)
    assert.equal(flowHash('global-default', 'alice'), 17644606172554983095n)
    assert.deepEqual(hand('global-default', 'alice', 128, 6), [55, 62, 126, 125, 105, 1])
    assert.deepEqual(hand('workload-low', '', 64, 8), [4, 18, 48, 17, 44, 42, 19, 0])
    assert.deepEqual(hand('x', 'system:serviceaccount:a:b', 16, 4), [13, 6, 9, 7])
    assert.deepEqual(hand('service-accounts', 'ü', 7, 7), [2, 6, 0, 4, 1, 5, 3])
  })

  it('deals no card twice', () => {
    for (let i = 0; i < 200; i++) {
      const hand = deal(flowHash('schema', String(i)), 9, 9)
      assert.deepEqual([...hand].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8])
    }
  })
})
