/** Whatever is killed, stalls or is cut off, clients see one history. .ci/run lets every kind of fault happen, `npm run chaos` many. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutEtcd } from '../../storage/testing/etcd-process.js'
import { chaosOnEtcd } from './chaos/rounds.js'

const timeout = 180_000
/** One of each sort: something is killed, stalls and is cut off. */
const faults = 3

test('reads, writes and watches through three servers on an etcd of three members make one history', {
  timeout,
  skip: withoutEtcd ?? false
}, async t => {
  const result = await chaosOnEtcd({ seed: 1, faults, onFault: name => t.diagnostic(name) })
  t.diagnostic(JSON.stringify(result))
  assert.ok(result.operations > 300 && result.events > 300)
})
