import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { FeatureGates } from '../../apimachinery/features/feature-gates.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Registry } from '../../registry/registry.js'
import { FlowBench, infoOf, level, schema } from '../../testkit/flow-control.js'
import { WatchCount } from './watch-count.js'
import { WorkEstimator } from './work-estimate.js'

/** Estimates by a level of which a request may take `maxSeats`, and a resource with so many objects of so many bytes. */
function seatsOf(maxSeats: number, size: number, averageBytes: number, gates: Record<string, boolean> = {}) {
  const bench = new FlowBench(100)
  bench.configuration.use([level('l')], [schema('s', 'l', ['ann'])])
  bench.level('l').maxSeats = maxSeats
  const found = bench.configuration.schemas.all.find(({ name }) => name === 's')!
  const resource = { kind: {}, cache: { size, averageBytes } }
  const registry = { find: (_: string, __: string, name: string) => (name === 'pods' ? resource : undefined) }
  const estimator = new WorkEstimator(registry as unknown as Registry, new WatchCount(), new FeatureGates(gates))
  return (url: string, method = 'GET') => {
    const { searchParams: query } = new URL(url, 'https://server')
    return estimator.estimate({ info: infoOf(url, method), query } as RequestContext, found).initialSeats
  }
}

const pods = '/api/v1/pods'

describe('the estimate of a list', () => {
  it('goes by the bytes of the objects that it reads', () => {
    const seats = seatsOf(0, 1000, 250)
    assert.equal(seats(pods), 3)
    assert.equal(seats(`${pods}?limit=500`), 2)
    assert.equal(seats(`${pods}?limit=5000`), 3)
    assert.equal(seats(`${pods}?fieldSelector=metadata.name%3Dx`), 1)
    assert.equal(seats('/api/v1/services'), 1)
    assert.equal(seats('/api/v1/pods/x'), 1)
    assert.equal(seats(pods, 'DELETE'), 1)
  })

  it('is ten seats at most from the cache, and a hundred from the history', () => {
    const seats = seatsOf(0, 100_000, 1000)
    assert.equal(seats(pods), 10)
    assert.equal(seats(`${pods}?resourceVersion=5`), 10)
    assert.equal(seats(`${pods}?resourceVersion=5&resourceVersionMatch=NotOlderThan`), 10)
    assert.equal(seats(`${pods}?resourceVersion=5&resourceVersionMatch=Exact`), 100)
    assert.equal(seats(`${pods}?resourceVersion=5&limit=500`), 5)
    assert.equal(seats(`${pods}?continue=x&limit=3000`), 30)
    assert.equal(seats(`${pods}?continue=x&limit=10&labelSelector=a`), 100)
  })

  it('is never more than the level gives to one request', () => {
    const seats = seatsOf(4, 100_000, 1000)
    assert.equal(seats(pods), 4)
    assert.equal(seats(`${pods}?limit=x`), 4)
  })

  it('is that of a watch that sends initial events', () => {
    const seats = seatsOf(0, 1000, 250)
    assert.equal(seats(`${pods}?watch=1`), 3)
    assert.equal(seats(`${pods}?watch=1&resourceVersion=0`), 3)
    assert.equal(seats(`${pods}?watch=1&resourceVersion=7`), 1)
    assert.equal(seats(`${pods}?watch=1&resourceVersion=7&sendInitialEvents=true`), 3)
  })
})

describe('the estimate of a list without SizeBasedListCostEstimate', () => {
  const gates = { SizeBasedListCostEstimate: false }

  it('goes by the objects that are looked at', () => {
    const seats = seatsOf(0, 450, 100_000, gates)
    assert.equal(seats(pods), 5)
    assert.equal(seats(`${pods}?limit=100&resourceVersion=0`), 5)
    assert.equal(seats(`${pods}?continue=x&limit=100`), 2)
    assert.equal(seats(`${pods}?continue=x&limit=100&labelSelector=a`), 6)
    assert.equal(seats(`${pods}?fieldSelector=metadata.name%3Dx`), 1)
    assert.equal(seats(`${pods}?watch=1`), 5)
  })

  it('is ten seats at most', () => {
    assert.equal(seatsOf(0, 5000, 10, gates)(pods), 10)
    assert.equal(seatsOf(4, 5000, 10, gates)(pods), 4)
  })
})

test('a watch takes one seat without WatchList', () => {
  assert.equal(seatsOf(0, 1000, 100_000, { WatchList: false })(`${pods}?watch=1`), 1)
})
