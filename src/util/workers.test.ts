import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../testkit/fake-clock.js'
import { Metrics } from './instruments/metrics.js'
import { WorkQueues } from './instruments/work-queues.js'
import { ExponentialBackoff } from './rate-limits.js'
import { WorkQueue } from './work-queue.js'
import { workersOf } from './workers.js'

test('items that come again at once leave the event loop to others', async () => {
  const counts = new WorkQueues(new Metrics()).add('test', () => ({ depth: 0, began: [] }))
  let worked = 0
  const queue: WorkQueue = new WorkQueue({
    clock: new FakeClock(),
    limiter: new ExponentialBackoff(1, 1),
    counts,
    ready: workersOf(
      () => queue,
      2,
      async item => {
        worked++
        // else a failure would hang
        if (worked < 100_000) queue.addAfter(item, 0)
      }
    )
  })
  for (const item of ['a', 'b', 'c']) queue.add(item)
  await new Promise(resolve => setTimeout(resolve, 1))
  await queue.close()
  assert.ok(worked > 0 && worked < 100_000, `${worked} times`)
})
