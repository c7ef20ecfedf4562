import assert from 'node:assert/strict'
import { EventEmitter, getEventListeners } from 'node:events'
import { describe, test } from 'node:test'
import { DependentAbort } from './dependent-abort.js'

describe('a signal that depends on others', () => {
  test('aborts with the first of them, with its reason, also where that has aborted before', () => {
    const [one, two] = [new AbortController(), new AbortController()]
    const { signal } = new DependentAbort(one.signal, undefined, two.signal)
    two.abort('enough')
    one.abort('late')
    assert.equal(signal.reason, 'enough')
    assert.equal(new DependentAbort(two.signal).signal.reason, 'enough')
  })

  test('leaves nothing behind when it ends, and aborts no more', () => {
    const other = new AbortController()
    const dependent = new DependentAbort(other.signal)
    assert.equal(getEventListeners(other.signal, 'abort').length, 1)
    dependent.end()
    other.abort()
    assert.deepEqual([getEventListeners(other.signal, 'abort').length, dependent.signal.aborted], [0, false])
  })

  test('leaves the limit of listeners of all emitters as it is', () => {
    const before = EventEmitter.defaultMaxListeners
    new DependentAbort().end()
    new DependentAbort(new AbortController().signal).end()
    assert.equal(EventEmitter.defaultMaxListeners, before)
    assert.ok(before > 0)
  })
})
