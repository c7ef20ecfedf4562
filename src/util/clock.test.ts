import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import { systemClock } from './clock.js'

const longest = 2 ** 31 - 1

/** Timers that the test lets fall due. */
function timers() {
  const asked: number[] = []
  const waiting = new Map<object, () => void>()
  mock.method(globalThis, 'setTimeout', (callback: () => void, milliseconds: number) => {
    asked.push(milliseconds)
    const timer = { unref: () => timer }
    waiting.set(timer, callback)
    return timer
  })
  mock.method(globalThis, 'clearTimeout', (timer: object) => waiting.delete(timer))
  const next = () => {
    for (const [timer, callback] of waiting) {
      waiting.delete(timer)
      return callback()
    }
  }
  return { asked, next }
}

describe('the clock of the system', { concurrency: 1 }, () => {
  test('waits for longer than a timer of Node can', () => {
    const { asked, next } = timers()
    let calls = 0
    try {
      systemClock.setTimeout(() => calls++, 2 * longest + 5)
      for (const expected of [0, 0, 1]) {
        next()
        assert.equal(calls, expected)
      }
    } finally {
      mock.restoreAll()
    }
    assert.deepEqual(asked, [longest, longest, 5])
  })

  test('does not call back once it is cancelled, however long it has waited', () => {
    const { next } = timers()
    let calls = 0
    try {
      const timer = systemClock.setTimeout(() => calls++, longest + 10)
      next()
      timer.cancel()
      next()
    } finally {
      mock.restoreAll()
    }
    assert.equal(calls, 0)
  })
})
