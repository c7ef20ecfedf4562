import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { SeededRandomness } from '../../util/seeded-randomness.js'
import { Heap } from './heap.js'
import type { ClusterEvent } from './plugin.js'
import { podInfoOf } from './pod-info.js'
import { SchedulingQueue } from './scheduling-queue.js'
import { aNode, aPod } from './testing/cluster.js'

const pod = (name: string, priority = 0, gate?: string) =>
  podInfoOf(aPod(name, { spec: { priority, schedulingGates: gate ? [{ name: gate }] : undefined } }))
const event: ClusterEvent = { on: 'node', node: aNode('a'), old: undefined }
const rejected = new Set(['NodeResourcesFit'])

function queueWith(options: { mayHelp?: boolean } = {}) {
  const clock = new FakeClock()
  let wakes = 0
  const queue = new SchedulingQueue({
    clock,
    isGated: info => (info.pod.spec.schedulingGates ?? []).length > 0,
    mayHelp: () => options.mayHelp ?? true,
    wake: () => void wakes++
  })
  return { clock, queue, wakes: () => wakes, next: () => queue.pop()?.info.pod.metadata.name }
}

describe('the queue of the scheduler', () => {
  test('gives out the most important first, and the oldest of those', () => {
    const { queue, next, clock } = queueWith()
    queue.add(pod('late', 1))
    queue.add(pod('later', 1))
    clock.advance(1)
    queue.add(pod('first', 2))
    queue.add(pod('last', 0))
    assert.deepEqual([next(), next(), next(), next(), next()], ['first', 'late', 'later', 'last', undefined])
  })

  test('keeps a rejected Pod until something happens that may help', () => {
    const options = { mayHelp: false }
    const { queue, next, wakes } = queueWith(options)
    queue.add(pod('p'))
    queue.putBack(queue.pop()!, rejected)
    queue.moveOn(event)
    assert.equal(next(), undefined)
    assert.equal(wakes(), 1)
    options.mayHelp = true
    queue.moveOn(event)
    assert.equal(wakes(), 2)
    // it backs off, but nothing else waits
    assert.equal(next(), 'p')
  })

  test('lets others go first while a Pod backs off', () => {
    const { queue, next, clock } = queueWith()
    queue.add(pod('important', 9))
    queue.putBack(queue.pop()!, rejected)
    queue.moveOn(event)
    queue.add(pod('other'))
    assert.deepEqual([next(), next()], ['other', 'important'])
    queue.add(pod('important', 9))
    queue.putBack(queue.pop()!, rejected)
    queue.moveOn(event)
    clock.advance(2000)
    queue.add(pod('other'))
    assert.deepEqual([next(), next()], ['important', 'other'])
  })

  test('lets a Pod wait after an error, longer each time', () => {
    const { queue, clock } = queueWith()
    queue.add(pod('p'))
    let queued = queue.pop()!
    const waits = Array.from({ length: 6 }, () => {
      queue.putBack(queued, new Set())
      queue.moveOn(event)
      for (let waited = 0; ; waited += 1000, clock.advance(1000)) {
        const popped = queue.pop()
        if (!popped) continue
        queued = popped
        return waited
      }
    })
    // 1, 2, 4, 8 and 10 s, and the rest of the last second
    assert.deepEqual(waits, [2000, 3000, 5000, 9000, 11_000, 11_000])
  })

  test('does not try a Pod with a gate, until that is gone', () => {
    const { queue, next } = queueWith()
    queue.add(pod('p', 0, 'wait'))
    queue.moveOn(event)
    assert.equal(next(), undefined)
    assert.equal(queue.flush(), undefined)
    const open = pod('p')
    queue.update(open, { on: 'self', pod: open, old: pod('p', 0, 'wait') })
    assert.equal(next(), 'p')
  })

  test('tries a Pod again after five minutes, whatever has happened', () => {
    const { queue, next, clock } = queueWith({ mayHelp: false })
    queue.add(pod('p'))
    queue.putBack(queue.pop()!, rejected)
    assert.equal(queue.flush(), 300_000)
    clock.advance(299_999)
    assert.equal(queue.flush(), 1)
    assert.equal(next(), undefined)
    clock.advance(1)
    queue.flush()
    assert.equal(next(), 'p')
  })

  test('forgets a Pod that is gone', () => {
    const { queue, next } = queueWith()
    queue.add(pod('p'))
    queue.add(pod('q'))
    queue.remove('uid of p')
    assert.ok(!queue.has('uid of p') && queue.has('uid of q'))
    assert.deepEqual([next(), next()], ['q', undefined])
  })
})

test('a heap gives out its items in order, whatever is taken from it', () => {
  const random = new SeededRandomness('heap')
  const heap = new Heap<{ key: string; rank: number }>((a, b) => a.rank < b.rank)
  const ranks = new Map<string, number>()
  for (let i = 0; i < 2000; i++) {
    const key = `${Math.floor(random.fraction() * 200)}`
    if (random.fraction() < 0.3) {
      assert.equal(heap.remove(key)?.rank, ranks.get(key))
      ranks.delete(key)
    } else {
      const rank = random.fraction()
      heap.put({ key, rank })
      ranks.set(key, rank)
    }
    assert.equal(heap.peek()?.rank, ranks.size === 0 ? undefined : Math.min(...ranks.values()))
  }
  const left = [...ranks.values()].sort((a, b) => a - b)
  assert.deepEqual(
    left.map(() => heap.pop()!.rank),
    left
  )
  assert.equal(heap.size, 0)
})
