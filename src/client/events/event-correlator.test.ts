import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Event } from '../../apimachinery/api/generated/core-v1.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { EventCorrelator } from './event-correlator.js'

const event = (message: string, name = 'web'): Event => ({
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name: `${name}.1`, namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name, uid: `uid-${name}` },
  reason: 'BackOff',
  message,
  source: { component: 'kubelet' },
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  type: 'Warning',
  reportingComponent: 'kubelet',
  reportingInstance: ''
})

/** Writes an Event, and tells what was written: a new object, or the count of one. */
function write(correlator: EventCorrelator, given: Event): string {
  const found = correlator.take(given)
  if (!found) return 'nothing'
  if (found.patch) return `${found.patch.metadata.name} ${(found.patch.change as { count: number }).count}`
  found.written({ name: given.metadata.name, namespace: 'default' })
  return `new: ${found.event.message}`
}

describe('Events', () => {
  test('that say the same are counted in one object', () => {
    const correlator = new EventCorrelator(new FakeClock())
    assert.equal(write(correlator, event('a')), 'new: a')
    assert.equal(write(correlator, event('a')), 'web.1 2')
    assert.equal(write(correlator, event('b')), 'new: b')
    assert.equal(write(correlator, event('a')), 'web.1 3')
    assert.equal(write(correlator, event('a', 'other')), 'new: a')
  })

  test('of one reason are combined from the tenth message on, until ten minutes have passed without any', () => {
    const clock = new FakeClock()
    const correlator = new EventCorrelator(clock)
    for (let i = 1; i < 10; i++) assert.equal(write(correlator, event(`m${i}`)), `new: m${i}`)
    assert.equal(write(correlator, event('m10')), 'new: (combined from similar events): m10')
    assert.equal(write(correlator, event('m11')), 'web.1 2')
    clock.advance(600_001)
    assert.equal(write(correlator, event('m12')), 'new: m12')
  })

  test('about one object are 25 at once, and one in five minutes', () => {
    const clock = new FakeClock()
    const correlator = new EventCorrelator(clock)
    for (let i = 0; i < 25; i++) assert.notEqual(write(correlator, event('a')), 'nothing')
    assert.equal(write(correlator, event('a')), 'nothing')
    assert.equal(write(correlator, event('a', 'other')), 'new: a')
    clock.advance(299_999)
    assert.equal(write(correlator, event('a')), 'nothing')
    clock.advance(1)
    assert.equal(write(correlator, event('a')), 'web.1 28')
  })
})
