/** A server that is killed, or stalls, and starts again on its data folder: clients see one history. `npm run chaos` runs longer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { chaosOnDisk } from './chaos/rounds.js'

const timeout = 180_000

describe('reads, writes and watches make one history', () => {
  test('through the processes of a server that restarts on its data folder', { timeout }, async t => {
    const result = await chaosOnDisk({ seed: 1, workers: 2 })
    t.diagnostic(JSON.stringify(result))
    assert.ok(result.operations > 500 && result.events > 500)
  })

  test('through a server that restarts on its data folder', { timeout }, async t => {
    const result = await chaosOnDisk({ seed: 1 })
    t.diagnostic(JSON.stringify(result))
    assert.ok(result.operations > 500 && result.events > 500)
  })
})
