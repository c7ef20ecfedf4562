import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FakeClock } from '../../../testkit/fake-clock.js'
import { DecisionCache } from './decision-cache.js'

const yes = { allowed: true, reason: 'y' }

describe('remembered decisions', () => {
  it('are forgotten when their time is over', () => {
    const clock = new FakeClock()
    const cache = new DecisionCache(clock)
    cache.set('q', yes, 1000)
    clock.advance(999)
    assert.equal(cache.get('q'), yes)
    clock.advance(1)
    assert.equal(cache.get('q'), undefined)
    clock.advance(-1)
    assert.equal(cache.get('q'), undefined)
  })

  it('are kept for no time at all with a time of 0', () => {
    const cache = new DecisionCache({ ...new FakeClock(), now: () => -1 } as unknown as FakeClock)
    cache.set('q', yes, 0)
    assert.equal(cache.get('q'), undefined)
    cache.set('q', yes, 0.5)
    assert.equal(cache.get('q'), yes)
  })

  it('are those that were asked for last', () => {
    const cache = new DecisionCache(new FakeClock())
    for (let i = 0; i < 8191; i++) cache.set(`q${i}`, yes, 1000)
    assert.equal(cache.get('q0'), yes)
    for (let i = 0; i < 4095; i++) cache.set(`r${i}`, yes, 1000)
    assert.equal(cache.get('q0'), yes)
    assert.equal(cache.get('q1'), undefined)
    assert.equal(cache.get('r0'), yes)
  })

  it('are replaced by newer ones', () => {
    const cache = new DecisionCache(new FakeClock())
    const no = { allowed: false, reason: '' }
    for (let i = 0; i < 4096; i++) cache.set(`q${i}`, yes, 1000)
    cache.set('q1', no, 1000)
    assert.equal(cache.get('q1'), no)
    for (let i = 0; i < 4096; i++) cache.set(`r${i}`, yes, 1000)
    assert.equal(cache.get('q1'), no)
  })

  it('are told apart by long questions, too', () => {
    const cache = new DecisionCache(new FakeClock())
    cache.set(`${'a'.repeat(5000)}1`, yes, 1000)
    assert.equal(cache.get(`${'a'.repeat(5000)}1`), yes)
    assert.equal(cache.get(`${'a'.repeat(5000)}2`), undefined)
  })
})
