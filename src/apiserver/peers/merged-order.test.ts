import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergedOrder } from './merged-order.js'

const order = (...lists: string[]) => mergedOrder(lists.map(list => [...list])).join('')

describe('the order of names from several lists', () => {
  it('agrees with each list', () => {
    assert.equal(order('ace', 'bd', 'cd'), 'abcde')
    assert.equal(order('zab', 'zc', 'cy'), 'zabcy')
  })

  it('takes the lesser name first where the lists leave it open', () => {
    assert.equal(order('b', 'a', 'c'), 'abc')
    assert.equal(order('xd', 'xb', 'xc', 'xa', 'ye'), 'xabcdye')
  })

  it('is that of a list with all names', () => {
    assert.equal(order('ba', 'cba'), 'cba')
    assert.equal(order('ab', 'ba'), 'ab')
  })

  it('is alphabetic where the lists contradict each other', () => {
    assert.equal(order('bac', 'abd'), 'abcd')
    assert.equal(order('aba', 'c'), 'abc')
  })

  it('takes time in proportion to the lists', () => {
    const names = (prefix: string) => Array.from({ length: 20_000 }, (_, i) => `${prefix}${i}`)
    const merged = mergedOrder([names('a'), names('b')])
    assert.deepEqual([merged.length, merged[0], merged.at(-1)], [40_000, 'a0', 'b19999'])
  })
})
