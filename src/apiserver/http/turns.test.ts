import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTurn } from '../../util/turns.js'
import { Turns } from './turns.js'

const hold = (milliseconds: number) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('tasks run in their order, and others have turns between slices, also for what promises do', async () => {
  const turns = new Turns()
  const steps: string[] = []
  let others = 0
  let isOver = false
  const other = () => {
    others++
    if (!isOver) setImmediate(other)
  }
  setImmediate(other)
  await new Promise<void>(resolve => {
    for (let i = 0; i < 20; i++)
      turns.add(() => {
        steps.push(`begin ${i}`)
        // as a request that goes on after its first step
        void Promise.resolve().then(() => {
          hold(2)
          steps.push(`end ${i}`)
          if (i === 19) resolve()
        })
      })
  })
  isOver = true
  assert.deepEqual(steps, Array.from({ length: 20 }, (_, i) => [`begin ${i}`, `end ${i}`]).flat())
  assert.ok(others >= 8, `${others} turns for others`)
})

test('a task may run at once as long as nothing waits and the turn is short', async () => {
  const turns = new Turns()
  assert.equal(turns.isFree(), true)
  hold(11)
  assert.equal(turns.isFree(), false)
  await nextTurn()
  assert.equal(turns.isFree(), true)
  await new Promise<void>(resolve => {
    turns.add(resolve)
    assert.equal(turns.isFree(), false)
  })
  await nextTurn()
  await nextTurn()
  assert.equal(turns.isFree(), true)
})
