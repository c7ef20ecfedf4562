import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { type ServiceError, status } from '@grpc/grpc-js'
import { CompactedError, StoreUnavailableError } from '../contract.js'
import { type EtcdClient, EtcdError } from './client.js'
import type { EtcdEvent, WatchResponse } from './messages.js'
import { openWatch } from './watch-stream.js'

const event = (modRevision: number): EtcdEvent => ({
  deleted: false,
  current: { key: '/a', value: Buffer.alloc(0), createRevision: 1, modRevision, version: 1 },
  previous: { key: '/a', value: Buffer.alloc(0), createRevision: 1, modRevision: modRevision - 1, version: 1 }
})

const response = (created: boolean, ...revisions: number[]): WatchResponse => ({
  revision: 9,
  created,
  canceled: false,
  compactRevision: 0,
  cancelReason: '',
  events: revisions.map(event)
})

test('events of an etcd member that is behind the others are ignored', async () => {
  const stream = Object.assign(new EventEmitter(), { write() {}, cancel() {} })
  const client = { watchStream: async () => ({ stream, doubt() {} }) } as unknown as EtcdClient
  const seen: number[] = []
  const opening = openWatch(client, 5, {
    onEvents: events => void seen.push(...events.map(({ current }) => current.modRevision)),
    onEnd: error => assert.fail(error)
  })
  await new Promise(setImmediate)
  stream.emit('data', response(true))
  const watch = await opening
  for (const revisions of [[3, 4], [4, 5, 5], [4], [5, 6], [7]]) stream.emit('data', response(false, ...revisions))
  await new Promise(setImmediate)
  assert.deepEqual(seen, [5, 5, 6, 7])
  watch.close()
})

test('a message without events delivers none, whatever the revision', async () => {
  const stream = Object.assign(new EventEmitter(), { write() {}, cancel() {} })
  const client = { watchStream: async () => ({ stream, doubt() {} }) } as unknown as EtcdClient
  const opening = openWatch(client, 0, { onEvents: () => assert.fail('delivered'), onEnd: error => assert.fail(error) })
  await new Promise(setImmediate)
  stream.emit('data', response(true))
  const watch = await opening
  stream.emit('data', response(false))
  await new Promise(setImmediate)
  watch.close()
})

/** Opens a watch whose second event, of four, comes without the value before it, which etcd has or has compacted. */
async function incomplete(call: () => Promise<unknown>): Promise<{ seen: number[]; error: Error }> {
  const stream = Object.assign(new EventEmitter(), { write() {}, cancel() {} })
  const client = { watchStream: async () => ({ stream, doubt() {} }), call } as unknown as EtcdClient
  const seen: number[] = []
  const error = await new Promise<Error>((resolve, reject) => {
    openWatch(client, 5, {
      onEvents: events => void seen.push(...events.map(({ current }) => current.modRevision)),
      onEnd: resolve
    }).catch(reject)
    setImmediate(() => {
      stream.emit('data', response(true, 5))
      setImmediate(() => {
        stream.emit('data', { ...response(false, 6), events: [{ ...event(6), previous: undefined }, event(7)] })
        stream.emit('data', response(false, 8))
      })
    })
  })
  return { seen, error }
}

test('a watch ends before a change without the value before it', async () => {
  const { seen, error } = await incomplete(async () => ({}))
  assert.deepEqual(seen, [5])
  assert.ok(error instanceof StoreUnavailableError)
})

test('a watch ends as compacted where the value before a change has been compacted', async () => {
  const compacted = { code: status.OUT_OF_RANGE, details: 'mvcc: required revision has been compacted' }
  const { seen, error } = await incomplete(() => Promise.reject(new EtcdError(compacted as ServiceError)))
  assert.deepEqual(seen, [5])
  assert.ok(error instanceof CompactedError)
})

test('objects that are made anew need no value before', async () => {
  const stream = Object.assign(new EventEmitter(), { write() {}, cancel() {} })
  const client = { watchStream: async () => ({ stream, doubt() {} }) } as unknown as EtcdClient
  const seen: EtcdEvent[] = []
  const opening = openWatch(client, 5, { onEvents: events => void seen.push(...events), onEnd: error => assert.fail(error) })
  await new Promise(setImmediate)
  const { current } = event(5)
  const made = { deleted: false, current: { ...current, createRevision: 5 }, previous: undefined }
  stream.emit('data', { ...response(true), events: [made] })
  const watch = await opening
  await new Promise(setImmediate)
  assert.deepEqual(seen, [made])
  watch.close()
})
