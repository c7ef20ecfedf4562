import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Part, RunningParts } from './part.js'

function parts(log: string[], failing: Record<string, 'start' | 'stop'> = {}): Part[] {
  return ['a', 'b', 'c'].map(name => ({
    name,
    start() {
      log.push(`+${name}`)
      if (failing[name] === 'start') throw new Error(`${name} does not start`)
    },
    async stop() {
      log.push(`-${name}`)
      if (failing[name] === 'stop') throw new Error(`${name} does not stop`)
    }
  }))
}

describe('parts', () => {
  it('start in order and stop in the reverse order, once', async () => {
    const log: string[] = []
    const running = new RunningParts()
    await running.start(parts(log))
    await running.stop()
    await running.stop()
    assert.deepEqual(log, ['+a', '+b', '+c', '-c', '-b', '-a'])
  })

  it('that have started are stopped when another fails to start', async () => {
    const log: string[] = []
    const running = new RunningParts()
    await assert.rejects(running.start(parts(log, { b: 'start' })), /b does not start/)
    await running.stop()
    assert.deepEqual(log, ['+a', '+b', '-b', '-a'])
  })

  it('are all stopped when one fails to stop', async () => {
    const log: string[] = []
    const running = new RunningParts()
    await running.start(parts(log, { b: 'stop' }))
    await assert.rejects(running.stop(), /b does not stop/)
    assert.deepEqual(log.slice(3), ['-c', '-b', '-a'])
  })
})
