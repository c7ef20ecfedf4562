import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EventLoopPace, type Paced } from './pace.js'

/** The thread's time, which goes on only while work is done: a machine that is busy with something else changes nothing. */
let time = 0

/** Work that has the thread for a while. */
function work(milliseconds: number): void {
  time += milliseconds
}

class Line implements Paced {
  readonly weight: number
  pass = 0
  served = 0
  readonly #waiting: (() => void)[] = []
  readonly #log: string[]
  readonly #name: string

  constructor(name: string, log: string[], weight = 1) {
    this.#name = name
    this.#log = log
    this.weight = weight
  }

  add(count: number, milliseconds = 0.3): void {
    for (let i = 0; i < count; i++) this.#waiting.push(() => work(milliseconds))
  }

  dispatchOne() {
    const next = this.#waiting.shift()
    if (!next) return undefined
    this.#log.push(this.#name)
    this.served++
    next()
    return { isUnderWay: false }
  }
}

const turn = () => new Promise(resolve => setImmediate(resolve))
const until = async (isDone: () => boolean) => {
  while (!isDone()) await turn()
}

describe('the pace of the event loop', () => {
  it('lets a few requests begin as they come, and more in the next turn', async () => {
    const pace = new EventLoopPace(() => time)
    assert.deepEqual(
      [...Array(6)].map(() => pace.isFree()),
      [true, true, true, true, false, false]
    )
    await turn()
    await turn()
    assert.ok(pace.isFree())
  })

  it('lets none begin when the turn has been long', () => {
    const pace = new EventLoopPace(() => time)
    assert.ok(pace.isFree())
    work(3)
    assert.ok(!pace.isFree())
  })

  it('lets none begin before those that wait', async () => {
    const pace = new EventLoopPace(() => time)
    const log: string[] = []
    const line = new Line('a', log)
    line.add(1)
    pace.wake(line)
    assert.ok(!pace.isFree())
    await until(() => line.served === 1)
    await turn()
    await turn()
    assert.ok(pace.isFree())
  })

  it('gives other events their turn between those that wait', async () => {
    const pace = new EventLoopPace(() => time)
    const line = new Line('a', [])
    line.add(200)
    pace.wake(line)
    let turns = 0
    await until(() => ++turns > 0 && line.served === 200)
    assert.ok(turns >= 20, String(turns))
  })

  it('divides the thread by weights', async () => {
    const pace = new EventLoopPace(() => time)
    const log: string[] = []
    const [light, heavy] = [new Line('light', log, 1), new Line('heavy', log, 4)]
    for (const line of [light, heavy]) {
      line.add(100)
      pace.wake(line)
    }
    await until(() => heavy.served === 100)
    assert.ok(light.served >= 5 && light.served <= 60, String(light.served))
    await until(() => light.served === 100)
  })

  it('serves a set that comes anew before one that has been served for long', async () => {
    const pace = new EventLoopPace(() => time)
    const log: string[] = []
    const [flood, steady] = [new Line('flood', log), new Line('steady', log)]
    flood.add(100)
    pace.wake(flood)
    await until(() => flood.served >= 10)
    const before = log.length
    steady.add(1)
    pace.wake(steady)
    await until(() => steady.served === 1)
    assert.ok(log.indexOf('steady') - before <= 1, log.slice(before, before + 5).join(' '))
    await until(() => flood.served === 100)
  })

  it('lets one request a turn begin of those that go on for longer', async () => {
    const pace = new EventLoopPace(() => time)
    let begun = 0
    const writes: Paced = { weight: 1, pass: 0, dispatchOne: () => (begun++ < 10 ? { isUnderWay: true } : undefined) }
    pace.wake(writes)
    let turns = 0
    await until(() => ++turns > 0 && begun > 10)
    assert.ok(turns >= 9, String(turns))
  })

  /** Requests that have begun and do not end, up to `count`. What they wait for takes the thread for some milliseconds a turn. */
  function waitingFor(pace: EventLoopPace, count: number, milliseconds: number) {
    const state = { begun: 0, turns: 0, isDone: false }
    const set: Paced = {
      weight: 1,
      pass: 0,
      dispatchOne() {
        if (state.begun === count) return undefined
        state.begun++
        pace.began()
        return { isUnderWay: true }
      }
    }
    const busy = () => {
      work(milliseconds)
      state.turns++
      if (!state.isDone) setImmediate(busy)
    }
    setImmediate(busy)
    pace.wake(set)
    return state
  }

  it('lets no more be under way while turns are long', async () => {
    const pace = new EventLoopPace(() => time)
    const state = waitingFor(pace, 100, 5)
    await until(() => state.turns >= 60)
    const { begun } = state
    assert.ok(begun >= 8 && begun <= 32, String(begun))
    assert.ok(!pace.isFree())
    for (let i = 0; i < begun; i++) pace.ended()
    await until(() => state.begun >= begun + 8)
    state.isDone = true
  })

  it('lets more be under way while turns are short: they wait for something slow', async () => {
    const pace = new EventLoopPace(() => time)
    const state = waitingFor(pace, 100, 0)
    await until(() => state.begun === 100)
    state.isDone = true
  })
})
