import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { endWithParent } from './parent.js'

/** A process that goes on until it is killed. */
function waiting(t: TestContext) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  return { pid: child.pid!, kill: () => Promise.all([once(child, 'exit'), child.kill('SIGKILL')]) }
}

describe('a program of a test, on Windows', () => {
  for (const name of ['interpreter', 'test'] as const) {
    it(`ends with the ${name} that started it`, async t => {
      t.mock.timers.enable({ apis: ['setInterval'] })
      const started = { interpreter: waiting(t), test: waiting(t) }
      const stop = t.mock.fn()
      const parentOf = (pid: number, use: (parent: number) => void) => pid === started.interpreter.pid && use(started.test.pid)
      endWithParent(started.interpreter.pid, stop, { platform: 'win32', parentOf })
      t.mock.timers.tick(1000)
      assert.equal(stop.mock.callCount(), 0)
      await started[name].kill()
      t.mock.timers.tick(250)
      assert.equal(stop.mock.callCount(), 1)
    })
  }
})
