import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextTurn } from '../util/turns.js'
import { Lifecycle } from './lifecycle.js'

/** Starts and stops take turns of the event loop; `log` has their order. */
function lifecycle({ fails = 0 } = {}) {
  const log: string[] = []
  let starts = 0
  const life = new Lifecycle<number>({
    async start() {
      const number = ++starts
      log.push(`start ${number}`)
      await nextTurn()
      if (number <= fails) throw new Error('no luck')
      log.push(`started ${number}`)
      return number
    },
    async stop(number) {
      log.push(`stop ${number}`)
      await nextTurn()
      log.push(`stopped ${number}`)
    }
  })
  return { life, log }
}

describe('the lifecycle of a server', () => {
  it('starts once, however often it is asked to', async () => {
    const { life, log } = lifecycle()
    assert.throws(() => life.running, /not running: call start\(\) first/)
    const first = life.start()
    assert.equal(life.start(), first)
    await first
    assert.equal(life.start(), first)
    assert.equal(life.running, 1)
    assert.deepEqual(log, ['start 1', 'started 1'])
  })

  it('stops once, however often it is asked to, and does not run while it stops', async () => {
    const { life, log } = lifecycle()
    await life.stop()
    await life.start()
    const stopping = life.stop()
    assert.throws(() => life.running, /not running/)
    assert.equal(life.stop(), stopping)
    await stopping
    await life.stop()
    assert.deepEqual(log, ['start 1', 'started 1', 'stop 1', 'stopped 1'])
  })

  it('undoes a start that is under way', async () => {
    const { life, log } = lifecycle()
    const starting = life.start()
    const stopping = life.stop()
    await assert.rejects(starting, /the server was stopped while it started/)
    await stopping
    assert.throws(() => life.running, /not running/)
    assert.deepEqual(log, ['start 1', 'started 1', 'stop 1', 'stopped 1'])
  })

  it('starts again after a stop, also after one that is under way', async () => {
    const { life, log } = lifecycle()
    await life.start()
    const stopping = life.stop()
    await life.start()
    assert.equal(life.running, 2)
    await stopping
    assert.deepEqual(log.slice(2), ['stop 1', 'stopped 1', 'start 2', 'started 2'])
    await life.stop()
    assert.throws(() => life.running, /not running/)
  })

  it('may be started again after a start that failed', async () => {
    const { life } = lifecycle({ fails: 1 })
    await assert.rejects(life.start(), /no luck/)
    await life.stop()
    await life.start()
    assert.equal(life.running, 2)
  })

  it('waits with a stop until a replacement is over', async () => {
    const { life, log } = lifecycle()
    await life.start()
    const replacing = life.replace(async before => {
      await nextTurn()
      return before + 10
    })
    const stopping = life.stop()
    await assert.rejects(replacing, /not running/)
    await stopping
    await life.start()
    await life.replace(async before => before + 10)
    assert.equal(life.running, 12)
    await life.stop()
    assert.deepEqual(log.slice(-2), ['stop 12', 'stopped 12'])
  })

  it('does not run after a replacement that failed, and may be started again', async () => {
    const { life } = lifecycle()
    await life.start()
    await assert.rejects(
      life.replace(() => Promise.reject(new Error('the disk is gone'))),
      /the disk is gone/
    )
    assert.throws(() => life.running, /not running/)
    await life.start()
    assert.equal(life.running, 2)
  })
})
