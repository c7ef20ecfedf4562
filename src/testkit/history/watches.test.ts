import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Operation } from './operation.js'
import { assertWatches, type Observations, type WatchedEvent } from './watches.js'

const write = (resourceVersion: number, value: string, key = 'a'): Operation => ({
  key,
  client: 'c',
  action: { kind: 'update', value, expected: undefined },
  outcome: { kind: 'done', resourceVersion },
  called: resourceVersion,
  returned: resourceVersion + 0.5
})
const event = (resourceVersion: number, type: WatchedEvent['type'], value: string, key = 'a'): WatchedEvent => ({
  type,
  key,
  value,
  resourceVersion
})

const operations = [write(2, 'x'), write(3, 'y'), write(4, 'z', 'b'), write(6, 'w')]
const events = [
  event(2, 'ADDED', 'x'),
  event(3, 'MODIFIED', 'y'),
  event(4, 'ADDED', 'z', 'b'),
  event(5, 'DELETED', 'y'),
  event(6, 'ADDED', 'w')
]
const empty = { resourceVersion: 1, values: new Map<string, string>() }
const seen = (...streams: (readonly WatchedEvent[])[]): Observations => ({
  operations,
  lists: [],
  streams: streams.map((events, i) => ({ watcher: `w${i}`, start: empty, events }))
})
const without = (resourceVersion: number) => events.filter(event => event.resourceVersion !== resourceVersion)
const refused = (observed: Observations, expected: RegExp) => assert.throws(() => assertWatches(observed), expected)

describe('the checker of watches', () => {
  test('accepts complete streams, also those that begin and end in between', () => {
    const later = { resourceVersion: 3, values: new Map([['a', 'y']]) }
    const observed = seen(events, events.slice(0, 3))
    const streams = [...observed.streams, { watcher: 'late', start: later, events: events.slice(2) }]
    assert.equal(assertWatches({ ...observed, streams, lists: [later, empty] }), 11)
  })

  test('notices a lost event', () => {
    refused(seen(without(4)), /w0 lost b z, which was acknowledged at 4/)
    // nobody knows the version of the deletion but another watcher
    refused(seen(events, [...events.slice(0, 3)], [events[2]!]), /w2 lost ADDED a x at 2/)
    refused(seen(events, [events[0]!, events[1]!, events[3]!]), /w1 lost ADDED b z at 4/)
  })

  test('notices a deletion that only another watcher saw', () => {
    const more = [...operations, write(7, 'v', 'b')]
    const last = event(7, 'MODIFIED', 'v', 'b')
    const streams = seen([...events, last], [...events.slice(0, 3), last]).streams
    refused(
      {
        operations: [...operations.slice(0, 3), more.at(-1)!, { ...operations[3]!, outcome: { kind: 'unknown' } }],
        lists: [],
        streams
      },
      /w1 lost DELETED a y at 5/
    )
  })

  test('notices a doubled event, and one out of order', () => {
    refused(seen([...events.slice(0, 2), ...events.slice(1)]), /w0 saw an event twice: MODIFIED a y at 3/)
    refused(seen([events[0]!, events[2]!, events[1]!]), /w0 saw MODIFIED a y at 3 after 4/)
  })

  test('notices events that nobody wrote, or wrote at another version', () => {
    refused(seen([event(2, 'ADDED', 'other')]), /saw what nobody wrote: ADDED a other at 2/)
    refused(seen([event(9, 'ADDED', 'x')]), /ADDED a x at 9, which was written at 2/)
  })

  test('notices types that do not fit the object', () => {
    refused(seen([event(2, 'MODIFIED', 'x')]), /MODIFIED a x at 2 when the object was absent/)
    refused(seen([...events.slice(0, 2), event(5, 'DELETED', 'x')]), /DELETED a x at 5 when the object was y/)
  })

  test('notices that two watchers saw different events, and a list that no moment shows', () => {
    refused(seen(events, [...events.slice(0, 3), event(5, 'MODIFIED', 'x')]), /written at 2|another watcher DELETED/)
    const torn = {
      resourceVersion: 4,
      values: new Map([
        ['a', 'x'],
        ['b', 'z']
      ])
    }
    refused({ ...seen(events), lists: [torn] }, /a list at 4 showed a=x b=z, the events say a=y b=z/)
  })
})
