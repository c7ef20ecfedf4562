import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnQueue } from './turns.js'

const busy = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('tasks run in order, and other events run in between', async () => {
  const queue = new TurnQueue()
  const ran: number[] = []
  let turns = 0
  let ended = false
  const count = () => {
    turns++
    if (!ended) setImmediate(count)
  }
  setImmediate(count)
  await new Promise<void>(resolve => {
    for (let i = 0; i < 20; i++)
      queue.add(() => {
        ran.push(i)
        busy(4)
        if (i < 5) queue.add(() => ran.push(100 + i))
        if (i === 19) queue.add(resolve)
      })
  })
  ended = true
  assert.deepEqual(ran, [...Array(20).keys(), 100, 101, 102, 103, 104])
  assert.ok(turns >= 20, `${turns} turns`)
})
