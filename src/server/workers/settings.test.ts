import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { UserError } from '../../util/user-error.js'
import { auto, processesOf, shareOf } from './settings.js'

test('several processes need a store that all of them can read', () => {
  assert.equal(processesOf(3, { storageBackend: 'lmdb' }), 3)
  assert.equal(processesOf(3, { storageBackend: 'etcd3' }), 3)
  assert.equal(processesOf(1, { storageBackend: 'memory' }), 1)
  assert.throws(
    () => processesOf(2, { storageBackend: 'memory' }),
    new UserError(
      '--workers=2: objects in the memory of one process cannot be seen by others; use --storage-backend=lmdb or etcd3'
    )
  )
  assert.throws(() => processesOf(2, { storageBackend: 'lmdb', testApi: true }), /^UserError: --workers=2: --test-api|--test-api/)
  assert.equal(processesOf(2, { storageBackend: 'lmdb', history: 1 }), 2)
  assert.throws(() => processesOf(2, { storageBackend: 'etcd3', history: 1 }), /--history/)
})

test('auto is as many processes as can be of use', () => {
  assert.equal(processesOf(auto, { storageBackend: 'lmdb' }), Math.min(8, availableParallelism()))
  assert.equal(processesOf(auto, { storageBackend: 'memory' }), 1)
})

test('the processes share the limits of the server', () => {
  const { maxRequestsInflight, maxMutatingRequestsInflight, auditWebhookBatchThrottleQPS } = shareOf(
    { maxRequestsInflight: 100, auditWebhookBatchThrottleQPS: 9 },
    3
  )
  assert.deepEqual([maxRequestsInflight, maxMutatingRequestsInflight, auditWebhookBatchThrottleQPS], [34, 67, 3])
})
