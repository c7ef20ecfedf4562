/** What client-go's tests of its work queues ask for (util/workqueue of v0.37.2), and controller-runtime's of its priority queue. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FakeClock } from '../testkit/fake-clock.js'
import { Metrics } from './instruments/metrics.js'
import { WorkQueues } from './instruments/work-queues.js'
import { Bucket, ExponentialBackoff, LongestOf } from './rate-limits.js'
import { WorkQueue, type WorkQueueOptions } from './work-queue.js'

function open(options: Partial<WorkQueueOptions> = {}) {
  const clock = new FakeClock()
  const metrics = new Metrics(undefined, false)
  let wakes = 0
  const queue: WorkQueue = new WorkQueue({
    clock,
    limiter: new ExponentialBackoff(1, 1000),
    counts: new WorkQueues(metrics).add('test', () => ({ depth: queue.length, began: queue.began })),
    ready: () => void wakes++,
    ...options
  })
  const take = () => queue.take()?.item
  return { clock, metrics, queue, take, wakes: () => wakes }
}
/** Whether a promise has resolved by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => (settled = true))
  await new Promise(setImmediate)
  return settled
}

describe('a work queue', () => {
  test('gives every item to one of many workers, however often it is added, and none that is added after its end', async () => {
    const { queue, take } = open()
    const atWork = new Set<string>()
    const begin = () => {
      while (atWork.size < 10) {
        const item = take()
        if (item === undefined) return
        assert.ok(!atWork.has(item))
        atWork.add(item)
      }
    }
    const seen = new Set<string>()
    for (let round = 0; round < 50; round++) {
      for (let producer = 0; producer < 50; producer++) queue.add(`item ${producer}`)
      begin()
      for (const item of [...atWork]) {
        seen.add(item)
        atWork.delete(item)
        queue.done(item)
      }
    }
    const closing = queue.close({ drains: true })
    queue.add('late')
    for (let item = take(); item !== undefined; item = take()) {
      assert.notEqual(item, 'late')
      queue.done(item)
    }
    await closing
    assert.equal(queue.length, 0)
    assert.equal(seen.size, 50)
  })

  test('counts an item once', () => {
    const { queue } = open()
    for (const [item, length] of [
      ['foo', 1],
      ['bar', 2],
      ['foo', 2]
    ] as const) {
      queue.add(item)
      assert.equal(queue.length, length)
    }
  })

  test('gives an item again that was added during its work, once, and not before that work is done', () => {
    const { queue, take, wakes } = open()
    queue.add('foo')
    assert.equal(take(), 'foo')
    queue.add('foo')
    queue.add('foo')
    assert.equal(take(), undefined)
    assert.equal(wakes(), 1)
    queue.done('foo')
    assert.equal(wakes(), 2)
    assert.equal(take(), 'foo')
    queue.done('foo')
    assert.equal(queue.length, 0)
  })

  test('does nothing about the end of work that it knows nothing of', () => {
    const { queue, take } = open()
    queue.done('foo')
    queue.add('foo')
    queue.done('foo')
    assert.equal(take(), 'foo')
  })

  test('that drains waits for the items at work, and for those that were added again meanwhile', async () => {
    const { queue, take } = open()
    queue.add('foo')
    queue.add('bar')
    take()
    take()
    queue.add('foo')
    const closing = queue.close({ drains: true })
    assert.equal(take(), undefined)
    queue.done('foo')
    queue.done('bar')
    assert.equal(await isSettled(closing), false)
    assert.equal(take(), 'foo')
    queue.done('foo')
    assert.equal(await isSettled(closing), true)
  })

  test('that does not drain forgets what waits, and can be told so after it began to drain', async () => {
    const { queue, take } = open()
    queue.add('foo')
    take()
    queue.add('foo')
    queue.add('bar')
    const draining = queue.close({ drains: true })
    const closing = queue.close()
    queue.done('foo')
    assert.equal(take(), undefined)
    assert.equal(await isSettled(Promise.all([draining, closing])), true)
  })

  test('keeps nothing of an item that is done', () => {
    const { queue, take } = open({ limiter: new ExponentialBackoff(1, 1000) })
    for (let i = 0; i < 1000; i++) {
      queue.add(`item ${i}`)
      queue.done(take()!)
    }
    assert.equal(queue.isBusy, false)
    assert.deepEqual([...queue.lengths], [[0, 0]])
  })
})

describe('an item that waits for a time', () => {
  test('comes when the time has passed, and not before', () => {
    const { queue, clock, take } = open()
    queue.addAfter('foo', 50)
    clock.advance(49)
    assert.equal(take(), undefined)
    clock.advance(1)
    assert.equal(take(), 'foo')
    queue.done('foo')
    clock.advance(10_000)
    assert.equal(queue.length, 0)
  })

  test('comes once, at the first of its times', () => {
    const { queue, clock, take } = open()
    queue.addAfter('foo', 50)
    queue.addAfter('foo', 70)
    clock.advance(60)
    assert.equal(take(), 'foo')
    queue.done('foo')
    clock.advance(20)
    assert.equal(queue.length, 0)
    queue.addAfter('foo', 50)
    queue.addAfter('foo', 30)
    clock.advance(40)
    assert.equal(take(), 'foo')
    queue.done('foo')
    clock.advance(20)
    assert.equal(queue.length, 0)
  })

  test('comes sooner than one that was added before it and waits longer', () => {
    const { queue, clock, take } = open()
    queue.addAfter('third', 3000)
    queue.addAfter('first', 1000)
    queue.addAfter('second', 2000)
    for (const item of ['first', 'second', 'third']) {
      clock.advance(1000)
      assert.equal(take(), item)
    }
  })

  test('is added at once for no time or a negative one', () => {
    const { queue, take } = open()
    queue.addAfter('foo', 0)
    queue.addAfter('bar', -5)
    assert.deepEqual([take(), take()], ['foo', 'bar'])
  })

  test('never comes from a queue that has ended, and keeps no timer', async () => {
    const { queue, clock, take } = open()
    queue.addAfter('foo', 50)
    await queue.close()
    queue.addAfter('bar', 50)
    clock.advance(100)
    assert.equal(take(), undefined)
  })

  test('comes again when its time comes, in a queue as client-go’s; in one as controller-runtime’s it was superseded', () => {
    for (const supersedes of [false, true]) {
      const { queue, clock, take } = open({ supersedes })
      queue.addAfter('foo', 50)
      queue.add('foo')
      assert.equal(take(), 'foo')
      queue.done('foo')
      clock.advance(50)
      assert.equal(take(), supersedes ? undefined : 'foo')
    }
  })
})

describe('priorities', () => {
  test('let the higher ones come first, each in its order', () => {
    const { queue } = open()
    queue.add('low 1', -100)
    queue.add('usual 1')
    queue.add('high', 10)
    queue.add('low 2', -100)
    queue.add('usual 2')
    assert.deepEqual(Object.fromEntries(queue.lengths), { 10: 1, 0: 2, '-100': 2 })
    const taken = Array.from({ length: 5 }, () => queue.take()!)
    assert.deepEqual(
      taken.map(({ item, priority }) => [item, priority]),
      [
        ['high', 10],
        ['usual 1', 0],
        ['usual 2', 0],
        ['low 1', -100],
        ['low 2', -100]
      ]
    )
  })

  test('are raised by a later add, and never lowered', () => {
    const { queue, take } = open()
    queue.add('a', -100)
    queue.add('b', -100)
    queue.add('b')
    queue.add('b', -100)
    assert.deepEqual([take(), take()], ['b', 'a'])
    queue.add('a', -100)
    queue.add('a', 5)
    queue.done('a')
    assert.deepEqual(queue.take(), { item: 'a', priority: 5 })
  })

  test('are kept while an item waits for a time', () => {
    const { queue, clock } = open()
    queue.addAfter('a', 50, -100)
    queue.addAfter('a', 70, 3)
    queue.addAfter('b', 50, -100)
    clock.advance(50)
    assert.deepEqual(queue.take(), { item: 'a', priority: 3 })
    assert.deepEqual(queue.take(), { item: 'b', priority: -100 })
  })
})

describe('rate limits', () => {
  test('delay an item by its failures, until it is forgotten', () => {
    const { queue, clock, take } = open()
    for (const wait of [1, 2, 4]) {
      queue.addRateLimited('foo')
      clock.advance(wait - 1)
      assert.equal(take(), undefined)
      clock.advance(1)
      assert.equal(take(), 'foo')
      queue.done('foo')
    }
    assert.deepEqual([queue.failures('foo'), queue.failures('bar')], [3, 0])
    queue.forget('foo')
    assert.equal(queue.failures('foo'), 0)
    queue.addRateLimited('foo')
    clock.advance(1)
    assert.equal(take(), 'foo')
  })

  test('double up to the greatest delay, for each item alone', () => {
    const backoff = new ExponentialBackoff(1, 1000)
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => backoff.when('one')),
      [1, 2, 4, 8, 16]
    )
    assert.deepEqual([backoff.when('two'), backoff.when('two')], [1, 2])
    assert.deepEqual([backoff.failures('one'), backoff.failures('two')], [5, 2])
    backoff.forget('one')
    assert.equal(backoff.when('one'), 1)
    for (let i = 0; i < 2000; i++) assert.ok(backoff.when('two') <= 1000)
    assert.equal(backoff.when('two'), 1000)
  })

  test('of a bucket hold for all items together', () => {
    const clock = new FakeClock()
    const bucket = new Bucket(10, 2, clock)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map(() => bucket.when()),
      [0, 0, 100, 200]
    )
    clock.advance(250)
    assert.equal(Math.round(bucket.when()), 50)
    clock.advance(60_000)
    assert.deepEqual([bucket.when(), bucket.when(), bucket.when()], [0, 0, 100])
  })

  test('of several kinds together are the longest of them, and the most failures', () => {
    const clock = new FakeClock()
    const limits = new LongestOf(new ExponentialBackoff(5, 1000), new ExponentialBackoff(1, 3), new Bucket(10, 2, clock))
    assert.deepEqual([limits.when('a'), limits.when('a')], [5, 10])
    assert.equal(limits.when('b'), 100)
    assert.equal(limits.failures('a'), 2)
    limits.forget('a')
    assert.equal(limits.failures('a'), 0)
  })
})

describe('the metrics of a queue', () => {
  test('count what was added, retried, waited and worked', async () => {
    const { queue, take, metrics, clock } = open()
    const line = async (name: string) =>
      new RegExp(`^workqueue_${name}\\{name="test"\\} (.*)$`, 'm').exec(await metrics.text())?.[1]
    queue.add('foo')
    queue.add('foo')
    assert.deepEqual([await line('adds_total'), await line('depth')], ['1', '1'])
    assert.equal(take(), 'foo')
    queue.add('foo')
    assert.deepEqual([await line('depth'), await line('queue_duration_seconds_count')], ['0', '1'])
    assert.notEqual(await line('unfinished_work_seconds'), '0')
    queue.done('foo')
    assert.deepEqual([await line('adds_total'), await line('work_duration_seconds_count')], ['2', '1'])
    queue.addRateLimited('bar')
    assert.equal(await line('retries_total'), '1')
    clock.advance(1)
    assert.equal(await line('depth'), '2')
    await queue.close()
    assert.equal(await line('depth'), '0')
  })
})
