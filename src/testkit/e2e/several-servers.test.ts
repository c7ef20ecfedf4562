/** Whatever is killed, stalls or is cut off, clients see one history. `npm run chaos` runs longer. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutEtcd } from '../../storage/testing/etcd-process.js'
import { chaosOnDisk, chaosOnEtcd } from './chaos/rounds.js'

const timeout = 180_000

describe('reads, writes and watches make one history', () => {
  test('through three servers on an etcd of three members', { timeout, skip: withoutEtcd ?? false }, async t => {
    const result = await chaosOnEtcd({ seed: 1, onFault: name => t.diagnostic(name) })
    t.diagnostic(JSON.stringify(result))
    assert.ok(result.operations > 500 && result.events > 500)
  })

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
