import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FakeClock } from '../testkit/fake-clock.js'
import { ControllableClock } from './controllable-clock.js'
import { nextTurn } from './turns.js'

const start = () => {
  const base = new FakeClock(1000)
  const clock = new ControllableClock(base)
  const fired: number[] = []
  const wait = (milliseconds: number) => clock.setTimeout(() => fired.push(clock.now()), milliseconds)
  return { base, clock, fired, wait }
}

describe('a clock that can be controlled', () => {
  it('follows the other one', () => {
    const { base, clock, fired, wait } = start()
    wait(100)
    wait(50).cancel()
    base.advance(100)
    assert.deepEqual([clock.now(), fired], [1100, [1100]])
  })

  it('stands still when it is frozen, and keeps the time that callbacks have left', () => {
    const { base, clock, fired, wait } = start()
    wait(100)
    base.advance(40)
    clock.freeze(5_000_000)
    base.advance(1000)
    assert.deepEqual([clock.now(), fired], [5_000_000, []])
    clock.advance(59)
    assert.deepEqual(fired, [])
    clock.advance(1)
    assert.deepEqual(fired, [5_000_060])
  })

  it('runs what falls due in order, each at its own time', () => {
    const { clock, fired, wait } = start()
    clock.freeze(0)
    wait(30)
    wait(20).cancel()
    wait(10)
    clock.setTimeout(() => wait(5), 10)
    clock.advance(100)
    assert.deepEqual([fired, clock.now()], [[10, 15, 30], 100])
  })

  it('follows again when it is released, and may be frozen once more', () => {
    const { base, clock, fired, wait } = start()
    clock.freeze(9000)
    wait(100)
    clock.advance(30)
    clock.release()
    assert.equal(clock.now(), 1000)
    base.advance(69)
    assert.deepEqual(fired, [])
    clock.freeze()
    clock.release()
    base.advance(1)
    assert.deepEqual(fired, [1070])
    assert.throws(() => clock.advance(1), /only a frozen clock can be advanced/)
  })

  it('lets work go on before time moves on', async () => {
    const { clock, fired, wait } = start()
    clock.freeze(0)
    clock.setTimeout(() => void Promise.resolve().then(() => wait(5)), 10)
    await clock.pass(100)
    assert.deepEqual([fired, clock.now()], [[15], 100])
  })

  it('stops where it has come to when nobody waits any more, or somebody releases it', async () => {
    const { clock } = start()
    clock.freeze(0)
    const abort = new AbortController()
    clock.setTimeout(() => abort.abort(new Error('gone')), 10)
    clock.setTimeout(() => clock.release(), 20)
    await assert.rejects(clock.pass(100, abort.signal), /gone/)
    assert.equal(clock.now(), 10)
    await clock.pass(100)
    assert.deepEqual([clock.now(), clock.isFrozen], [1000, false])
  })

  it('has copies that move on their own', () => {
    const { clock } = start()
    clock.freeze(7)
    const copy = clock.copy()
    copy.advance(1)
    assert.deepEqual([clock.now(), copy.now()], [7, 8])
    clock.release()
    assert.equal(clock.copy().isFrozen, false)
  })

  it('lets work come to its end before time moves on', async () => {
    const clock = new ControllableClock()
    clock.freeze(0)
    let left = 0
    const times: number[] = []
    const step = () => {
      times.push(clock.now())
      if (--left > 0) setImmediate(step)
    }
    const end = clock.watchWork(() => left > 0)
    for (const at of [10, 20])
      clock.setTimeout(() => {
        left = 50
        setImmediate(step)
      }, at)
    await clock.pass(100)
    assert.deepEqual(times, [...Array(50).fill(10), ...Array(50).fill(20)])
    end()
    clock.setTimeout(() => {
      left = 1000
    }, 1)
    await clock.pass(10)
  })

  it('tells those whose time comes how far the walk goes', async () => {
    const clock = new ControllableClock()
    clock.freeze(0)
    const seen: (number | undefined)[] = []
    clock.setTimeout(() => seen.push(clock.walksUntil), 10)
    await clock.pass(100)
    assert.deepEqual(seen, [100])
    assert.equal(clock.walksUntil, undefined)
    clock.setTimeout(() => {}, 10)
    await assert.rejects(clock.pass(100, AbortSignal.abort()), /abort/)
    assert.equal(clock.walksUntil, undefined)
  })

  it('lets come to its end what falls due at one time, before time moves on', async () => {
    const clock = new ControllableClock()
    clock.freeze(0)
    const seen: string[] = []
    const later = (name: string) => async () => {
      seen.push(`${name} ${clock.now()}`)
      await nextTurn()
      seen.push(`${name} after ${clock.now()}`)
    }
    clock.setTimeout(later('a'), 10)
    clock.setTimeout(later('b'), 10)
    clock.setTimeout(later('c'), 11)
    await clock.pass(20)
    assert.deepEqual(seen, ['a 10', 'b 10', 'a after 10', 'b after 10', 'c 11', 'c after 11'])
  })
})
