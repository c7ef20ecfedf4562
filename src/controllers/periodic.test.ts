import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { FakeClock } from '../testkit/fake-clock.js'
import { silentLogger } from '../util/logger.js'
import { Periodic } from './periodic.js'

test('work is done at the start, after its interval, and sooner after a failure', async () => {
  const clock = new FakeClock()
  const times: number[] = []
  const errors: string[] = []
  const begin = clock.now()
  const periodic = new Periodic({
    name: 'work',
    retryMs: 100,
    clock,
    log: { ...silentLogger, error: line => void errors.push(String(line)) },
    async work() {
      times.push(clock.now() - begin)
      if (times.length === 2) throw new Error('no luck')
      return 1000
    }
  })
  await periodic.start()
  for (const milliseconds of [999, 1, 100, 999]) {
    clock.advance(milliseconds)
    await setImmediate()
  }
  assert.deepEqual(times, [0, 1000, 1100])
  assert.deepEqual(errors, ['work: no luck'])
  await periodic.stop()
  clock.advance(5000)
  await setImmediate()
  assert.equal(times.length, 3)
})
