import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { nextTurn } from '../../util/turns.js'
import { BatchQueue, maxWaitingBytes, type QueueParts } from './batch-queue.js'

let clock: FakeClock
let batches: (readonly string[])[]
const queue = (options: Partial<QueueParts> = {}) =>
  new BatchQueue({
    bufferSize: 10,
    maxSize: 2,
    maxWait: 1000,
    throttle: undefined,
    clock,
    joinsBatches: false,
    deliver: batch => void batches.push(batch),
    ...options
  })

beforeEach(() => {
  clock = new FakeClock()
  batches = []
})

describe('a queue of audit events', () => {
  it('delivers full batches at once and others after a while', async () => {
    const events = queue()
    for (const event of ['a', 'b', 'c']) assert.equal(events.add(event), undefined)
    await nextTurn()
    assert.deepEqual(batches, [['a', 'b']])
    clock.advance(1000)
    assert.deepEqual(batches, [['a', 'b'], ['c']])
  })

  it('delivers full batches together where nobody sees their ends', async () => {
    const events = queue({ joinsBatches: true })
    for (const event of ['a', 'b', 'c', 'd', 'e']) events.add(event)
    assert.deepEqual(batches, [])
    clock.advance(10)
    assert.deepEqual(batches, [['a', 'b', 'c', 'd', 'e']])
    events.add('f')
    clock.advance(999)
    assert.equal(batches.length, 1)
    clock.advance(1)
    assert.deepEqual(batches.at(-1), ['f'])
  })

  it('loses events when too many wait', async () => {
    const events = queue({ bufferSize: 2, maxSize: 5 })
    assert.deepEqual(
      ['a', 'b', 'c'].map(event => events.add(event)),
      [undefined, undefined, 'audit buffer queue blocked']
    )
    await events.stop()
    assert.deepEqual(batches, [['a', 'b']])
    assert.equal(events.add('d'), 'audit backend shut down')
  })

  it('loses no event for want of a turn where events can be delivered at once', async () => {
    const events = queue({ bufferSize: 2, maxSize: 5, joinsBatches: true })
    assert.deepEqual(
      ['a', 'b', 'c'].map(event => events.add(event)),
      [undefined, undefined, undefined]
    )
    assert.deepEqual(batches, [['a', 'b']])
  })

  it('loses events when those that are delivered take too much memory', async () => {
    let finish: () => void = () => {}
    const events = queue({ maxSize: 1, deliver: () => new Promise<void>(resolve => (finish = resolve)) })
    assert.equal(events.add('x'.repeat(maxWaitingBytes)), undefined)
    await nextTurn()
    assert.equal(events.add('y'), 'audit buffer queue blocked')
    finish()
    await nextTurn()
    assert.equal(events.add('y'), undefined)
  })

  it('delivers no faster than it may', async () => {
    const events = queue({ maxSize: 1, throttle: { qps: 2, burst: 1 } })
    for (const event of ['a', 'b', 'c']) events.add(event)
    await nextTurn()
    assert.equal(batches.length, 1)
    clock.advance(499)
    assert.equal(batches.length, 1)
    clock.advance(1)
    assert.equal(batches.length, 2)
    clock.advance(500)
    assert.deepEqual(batches, [['a'], ['b'], ['c']])
  })

  it('delivers the rest when it stops', async () => {
    const events = queue({ throttle: { qps: 0.001, burst: 1 } })
    for (const event of ['a', 'b', 'c']) events.add(event)
    await events.stop()
    assert.deepEqual(batches, [['a', 'b'], ['c']])
  })
})
