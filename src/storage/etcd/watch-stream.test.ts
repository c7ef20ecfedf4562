import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { EtcdClient } from './client.js'
import type { EtcdEvent, WatchResponse } from './messages.js'
import { openWatch } from './watch-stream.js'

const event = (modRevision: number): EtcdEvent => ({
  deleted: false,
  current: { key: '/a', value: Buffer.alloc(0), createRevision: 1, modRevision, version: 1 },
  previous: undefined
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
