import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FakeClock } from '../../testkit/fake-clock.js'
import { nextTurn } from '../../util/turns.js'
import { EventTurns } from './event-turns.js'

const someTurns = async () => {
  for (let i = 0; i < 10; i++) await nextTurn()
}

/** Turns beside work that a test begins and ends, with the Events written so far. */
function besideWork() {
  const clock = new FakeClock()
  const work = { isBusy: true }
  const turns = new EventTurns(clock, () => work.isBusy)
  const written: number[] = []
  const happen = async (event: number, events = 1) => {
    await turns.next(events)
    written.push(event)
  }
  return { clock, work, turns, written, happen }
}

describe('Events', () => {
  test('wait for the end of the work of which they tell', async () => {
    const { work, turns, written, happen } = besideWork()
    const all = [1, 2, 3].map(event => happen(event))
    await someTurns()
    assert.deepEqual(written, [])
    work.isBusy = false
    turns.mayBeQuiet()
    await Promise.all(all)
    assert.deepEqual(written, [1, 2, 3])
    await happen(4)
    work.isBusy = true
    const next = happen(5)
    await someTurns()
    assert.deepEqual(written, [1, 2, 3, 4])
    turns.close()
    await next
  })

  test('wait on when one controller makes work for another', async () => {
    const { work, turns, written, happen } = besideWork()
    const one = happen(1)
    work.isBusy = false
    turns.mayBeQuiet()
    await nextTurn()
    work.isBusy = true
    await someTurns()
    assert.deepEqual(written, [])
    work.isBusy = false
    turns.mayBeQuiet()
    await one
  })

  test('are written now and then beside work that does not end', async () => {
    const { clock, written, happen } = besideWork()
    const all = [1, 2].map(event => happen(event))
    clock.advance(20)
    await all[0]
    await someTurns()
    assert.deepEqual(written, [1])
    clock.advance(20)
    await all[1]
  })

  test('do not wait when very many of one recorder do', async () => {
    const { written, happen } = besideWork()
    await happen(1, 500)
    assert.deepEqual(written, [1])
  })

  test('wait for nothing when the cluster ends', async () => {
    const { turns, written, happen } = besideWork()
    const one = happen(1)
    turns.close()
    await one
    await happen(2)
    assert.deepEqual(written, [1, 2])
  })
})
