/** The transition from history to live events: each event arrives once, whichever of the two is ahead. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoreEvent } from './contract.js'
import { deliverPast } from './replay.js'
import { WatchHub } from './watch-hub.js'

const event = (revision: number): StoreEvent => ({
  type: 'put',
  key: '/a',
  current: undefined,
  previous: undefined,
  revision,
  attachment: undefined
})
const events = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => event(from + i))

/** Subscribes from revision 1 on, and records the revisions it receives, and "present" when it has caught up. */
function follow(hub: WatchHub) {
  const told: (number | string)[] = []
  const subscription = hub.subscribe('/', 1, {
    onEvents: more => void told.push(...more.map(({ revision }) => revision)),
    onCaughtUp: () => void told.push('present'),
    onError: error => assert.fail(error)
  })
  return { subscription, told }
}

test('history that is ahead of the live events stops where they begin', () => {
  const hub = new WatchHub()
  const { subscription, told } = follow(hub)
  deliverPast(hub, subscription, { events: events(1, 5), through: 5 }, 3)
  assert.deepEqual(told, [1, 2, 3, 'present'])
  hub.dispatch(events(4, 5), 5)
  hub.dispatch(events(6, 6), 6)
  assert.deepEqual(told, [1, 2, 3, 'present', 4, 5, 6])
})

test('history that is behind the live events continues until it reaches them', () => {
  const hub = new WatchHub()
  const { subscription, told } = follow(hub)
  deliverPast(hub, subscription, { events: events(1, 2), through: 2 }, 4)
  hub.dispatch(events(5, 5), 5)
  deliverPast(hub, subscription, { events: events(3, 5), through: 5 }, 5)
  hub.dispatch(events(6, 6), 6)
  assert.deepEqual(told, [1, 2, 3, 4, 5, 'present', 6])
})

test('history without events of the prefix counts as well', () => {
  const hub = new WatchHub()
  const { subscription, told } = follow(hub)
  deliverPast(hub, subscription, { events: [], through: 7 }, 7)
  hub.dispatch(events(8, 8), 8)
  assert.deepEqual(told, ['present', 8])
})
