import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FakeClock } from '../testkit/fake-clock.js'
import { Metrics } from '../util/instruments/metrics.js'
import { WorkQueues } from '../util/instruments/work-queues.js'
import { silentLogger } from '../util/logger.js'
import { Controller } from './controller.js'

/** Makes a controller whose reconciles end when the test calls `end`. */
function controlled(workers: number) {
  const started: string[] = []
  const running = new Map<string, (error?: Error) => void>()
  const clock = new FakeClock()
  const controller = new Controller({
    name: 'test',
    watches: [],
    reconcile: key => {
      assert.ok(!running.has(key), `${key} is reconciled twice at the same time`)
      started.push(key)
      return new Promise<void>((resolve, reject) => {
        running.set(key, error => {
          running.delete(key)
          if (error) reject(error)
          else resolve()
        })
      })
    },
    clock,
    queues: new WorkQueues(new Metrics()),
    log: silentLogger,
    workers
  })
  const turn = () => new Promise(setImmediate)
  const end = async (key: string, error?: Error) => {
    running.get(key)!(error)
    await turn()
  }
  return { controller, started, clock, turn, end }
}

test('keys are reconciled in order, each once, with as many at a time as there are workers', async () => {
  const { controller, started, turn, end } = controlled(2)
  for (const key of ['a', 'b', 'c', 'c', 'd']) controller.enqueue(key)
  await turn()
  assert.deepEqual(started, ['a', 'b'])
  await end('b')
  await end('c')
  await end('d')
  await end('a')
  controller.enqueue('e')
  await turn()
  assert.deepEqual(started, ['a', 'b', 'c', 'd', 'e'])
})

test('a key that is enqueued during its reconcile is reconciled again afterwards', async () => {
  const { controller, started, turn, end } = controlled(2)
  controller.enqueue('a')
  await turn()
  controller.enqueue('a')
  controller.enqueue('a')
  await turn()
  assert.deepEqual(started, ['a'])
  await end('a')
  assert.deepEqual(started, ['a', 'a'])
  await end('a')
  assert.deepEqual(started, ['a', 'a'])
})

test('a key that failed is retried with a growing delay', async () => {
  const { controller, started, clock, turn, end } = controlled(1)
  controller.enqueue('a')
  await turn()
  for (const wait of [50, 100, 200]) {
    const before = started.length
    await end('a', new Error('not now'))
    clock.advance(wait - 1)
    await turn()
    assert.equal(started.length, before)
    clock.advance(1)
    await turn()
    assert.equal(started.length, before + 1)
  }
})

test('a key that is enqueued for later is reconciled once, at the first of the times', async () => {
  const { controller, started, clock, turn, end } = controlled(1)
  controller.enqueueAfter('a', 100)
  clock.advance(50)
  controller.enqueueAfter('a', 100)
  controller.enqueueAfter('b', 100)
  controller.enqueueAfter('b', 10)
  clock.advance(10)
  await turn()
  assert.deepEqual(started, ['b'])
  await end('b')
  clock.advance(40)
  await turn()
  assert.deepEqual(started, ['b', 'a'])
  await end('a')
  clock.advance(1000)
  await turn()
  assert.deepEqual(started, ['b', 'a'])
})

test('a controller that stops finishes its active keys and begins no others', async () => {
  const { controller, started, turn, end } = controlled(1)
  controller.enqueue('a')
  controller.enqueue('b')
  await turn()
  let stopped = false
  const stopping = controller.stop().then(() => (stopped = true))
  await turn()
  assert.equal(stopped, false)
  await end('a')
  await stopping
  assert.deepEqual(started, ['a'])
})
