import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allocateFairly } from './fair-allocation.js'

const claim = (least: number, most: number, wanted: number) => ({ least, most, wanted })
const near = (actual: readonly number[] | undefined, expected: readonly number[]) => {
  assert.equal(actual?.length, expected.length)
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(actual[i]! - value) < 1e-6, `${actual} is not ${expected}`)
}

describe('a fair allocation', () => {
  it('gives everybody the same share of what they want', () => {
    const found = allocateFairly(30, [claim(0, 100, 10), claim(0, 100, 20), claim(0, 100, 30)])
    near(found?.seats, [5, 10, 15])
    near([found!.fairShare], [0.5])
  })

  it('gives nobody less than their least, and nobody more than their most', () => {
    const found = allocateFairly(30, [claim(9, 100, 10), claim(0, 4, 20), claim(0, 100, 30)])
    near(found?.seats, [9, 4, 17])
    near([found!.fairShare], [17 / 30])
  })

  it('treats those who want nothing alike', () => {
    near(allocateFairly(10, [claim(0, 100, 0), claim(0, 100, 0)])?.seats, [5, 5])
  })

  it('gives the least or the most where nothing else is possible', () => {
    near(allocateFairly(5, [claim(2, 10, 4), claim(3, 10, 3)])?.seats, [2, 3])
    near(allocateFairly(20, [claim(2, 10, 4), claim(3, 10, 3)])?.seats, [10, 10])
    near(allocateFairly(0, [claim(0, 10, 4)])?.seats, [0])
  })

  it('is impossible beyond the bounds', () => {
    assert.equal(allocateFairly(4, [claim(2, 10, 4), claim(3, 10, 3)]), undefined)
    assert.equal(allocateFairly(21, [claim(2, 10, 4), claim(3, 10, 3)]), undefined)
  })

  it('always adds up', () => {
    let state = 1
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below
    for (let i = 0; i < 500; i++) {
      const claims = Array.from({ length: 1 + random(8) }, () => {
        const least = random(20)
        return claim(least, least + random(40), least + random(50))
      })
      const sum = (of: (c: (typeof claims)[number]) => number) => claims.reduce((total, c) => total + of(c), 0)
      const [low, high] = [sum(c => c.least), sum(c => c.most)]
      const total = low + random(high - low + 1)
      const found = allocateFairly(total, claims)!
      near([found.seats.reduce((a, b) => a + b, 0)], [total])
      for (const [j, seats] of found.seats.entries())
        assert.ok(seats >= claims[j]!.least - 1e-6 && seats <= claims[j]!.most + 1e-6)
    }
  })
})
