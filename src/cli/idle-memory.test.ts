import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { collectGarbage, IdleTime, idleIntervals } from './idle-memory.js'

const endIntervals = (idle: IdleTime, count: number, cpu: number): boolean[] =>
  Array.from({ length: count }, () => idle.endInterval(cpu))

test('a process becomes idle once, after enough intervals without work', () => {
  const idle = new IdleTime(100)
  assert.deepEqual(endIntervals(idle, idleIntervals + 5, 110), [
    ...Array<boolean>(idleIntervals - 1).fill(false),
    true,
    ...Array<boolean>(5).fill(false)
  ])
})

test('work begins the intervals anew, and the process can become idle again after it', () => {
  const idle = new IdleTime(0)
  endIntervals(idle, idleIntervals - 1, 0)
  assert.equal(idle.endInterval(300), false)
  assert.ok(!endIntervals(idle, idleIntervals - 1, 300).includes(true))
  assert.equal(idle.endInterval(300), true)
  assert.equal(idle.endInterval(600), false)
  assert.ok(endIntervals(idle, idleIntervals, 600).includes(true))
})

test('garbage is collected, and later contexts have no way to do so', async () => {
  const garbage = new WeakRef({ large: new Array(100).fill(0) })
  await nextTurn()
  collectGarbage()
  assert.equal(garbage.deref(), undefined)
  assert.equal(runInNewContext('typeof gc'), 'undefined')
})
