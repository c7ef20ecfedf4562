import assert from 'node:assert/strict'
import { Duplex, PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import type { Clock } from '../util/clock.js'
import { join } from './join.js'
import { Throttle } from './throttle.js'

/** A connection with both of its ends. */
function pair() {
  const [up, down] = [new PassThrough(), new PassThrough()]
  return { near: Duplex.from({ readable: up, writable: down }), far: { write: up, read: down } }
}

describe('joined connections', () => {
  for (const [how, rate] of [
    ['as fast as they are', undefined],
    ['at a limited rate', 1_000_000]
  ] as const)
    it(`carry what was sent before the end, ${how}`, async t => {
      // a timer of the clock keeps no process alive
      const alive = setInterval(() => {}, 1000)
      t.after(() => clearInterval(alive))
      const [one, other] = [pair(), pair()]
      join(one.near, other.near, rate)
      const sent = Buffer.alloc(300_000, 'abc')
      one.far.write.end(sent)
      assert.ok(sent.equals(await buffer(other.far.read)))
    })
})

describe('a throttle', () => {
  it('lets the bytes of a second pass in a second', async () => {
    let now = 0
    const timers: (() => void)[] = []
    const clock: Clock = {
      now: () => now,
      setTimeout(callback, milliseconds) {
        timers.push(() => {
          now += milliseconds
          callback()
        })
        return { cancel() {} }
      }
    }
    const throttle = new Throttle(1000, clock)
    let passed = 0
    throttle.on('data', (piece: Buffer) => (passed += piece.length))
    throttle.write(Buffer.alloc(2500))
    for (let turn = 0; turn < 10; turn++) {
      await new Promise(setImmediate)
      timers.shift()!()
    }
    await new Promise(setImmediate)
    assert.deepEqual([now, passed], [1000, 1100])
  })
})
