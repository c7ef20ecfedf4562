import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Action, Outcome } from '../../history/operation.js'
import { Recorder } from './clients.js'
import { checkHistory } from './run.js'

/** A history in which a create has no answer, a get comes after it, and a watch begins with a list at the end. */
function history(read: Outcome, listed: ReadonlyMap<string, string>): Recorder {
  const recorder = new Recorder()
  const add = (action: Action, outcome: Outcome) =>
    recorder.add({ key: 'chaos-1', client: 'c', action, outcome, called: recorder.tick(), returned: recorder.tick() })
  add({ kind: 'create', value: 'c-0' }, { kind: 'unknown' })
  add({ kind: 'get' }, read)
  recorder.streams.push({ watcher: 'w', start: { resourceVersion: 215, values: listed }, events: [] })
  return recorder
}

it('a write without an answer has happened when a watch begins with its value', () => {
  const found: Outcome = { kind: 'done', value: 'c-0', resourceVersion: 215 }
  assert.equal(checkHistory(history(found, new Map([['chaos-1', 'c-0']]))).unknown, 1)
})

it('a write without an answer that nobody saw need not have happened', () => {
  assert.equal(checkHistory(history({ kind: 'notFound' }, new Map())).unknown, 1)
})
