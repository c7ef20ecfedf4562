import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SeatDemand } from './seat-demand.js'

describe('the demand for seats', () => {
  it('is averaged over time, with its deviation and its highest value', () => {
    const demand = new SeatDemand(0)
    demand.set(4, 1000)
    demand.set(0, 3000)
    demand.endPeriod(4000)
    // a half of the time 4, else 0
    assert.equal(demand.average, 2)
    assert.equal(demand.deviation, 2)
    assert.equal(demand.highWatermark, 4)
    assert.equal(demand.smoothed, 4)
  })

  it('begins a new period with what is wanted at present', () => {
    const demand = new SeatDemand(0)
    demand.set(7, 0)
    demand.endPeriod(1000)
    demand.set(1, 1000)
    demand.endPeriod(2000)
    assert.deepEqual([demand.average, demand.highWatermark], [1, 7])
    demand.endPeriod(3000)
    assert.deepEqual([demand.average, demand.highWatermark], [1, 1])
  })

  it('rises at once and falls by half in about five minutes', () => {
    const demand = new SeatDemand(0)
    demand.set(100, 0)
    demand.endPeriod(10_000)
    assert.equal(demand.smoothed, 100)
    demand.set(0, 10_000)
    for (let i = 1; i <= 30; i++) demand.endPeriod(10_000 + i * 10_000)
    assert.ok(Math.abs(demand.smoothed - 50) < 1, String(demand.smoothed))
  })
})
