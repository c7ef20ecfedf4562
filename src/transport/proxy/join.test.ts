import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import type { Clock } from '../../util/clock.js'
import { join } from './join.js'
import { Throttle } from './throttle.js'

/** The two ends of a connection. */
async function pair(): Promise<[near: Socket, far: Socket]> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const far = net.connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [near] = (await once(server, 'connection')) as [Socket]
  server.close()
  return [near, far]
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
      const [[one, sender], [other, receiver]] = [await pair(), await pair()]
      join(one, other, rate)
      const sent = Buffer.alloc(300_000, 'abc')
      sender.end(sent)
      assert.ok(sent.equals(await buffer(receiver)))
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
