import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { Write } from '../contract.js'
import { openMemoryStore } from '../memory/store.js'
import {
  decodeQuestion,
  decodeTold,
  encodeCheck,
  encodeCommit,
  encodeDone,
  encodeFailed,
  encodeRefused,
  encodeRevision,
  FrameReader,
  maxFrameBytes
} from './frames.js'
import { WriterEnd } from './writer-end.js'

const writes: Write[] = [
  { key: '/registry/ünïcode', value: Buffer.from('{}'), expected: 0, ttl: undefined },
  { key: '/b', value: Buffer.alloc(0), expected: undefined, ttl: 3600 },
  { key: '/c', value: undefined, expected: 2 ** 47, ttl: undefined }
]

const whole = (frame: Buffer) => new FrameReader().read(frame)[0]!

test('a commit arrives as it was sent', () => {
  const user = { name: 'ünï' }
  assert.deepEqual(decodeQuestion(whole(encodeCommit(7, writes, user))), { type: 'commit', id: 7, writes, user })
  assert.deepEqual(decodeQuestion(whole(encodeCommit(7, writes))), { type: 'commit', id: 7, writes, user: undefined })
  const long = decodeQuestion(whole(encodeCommit(7, [], { name: 'x'.repeat(2 ** 17) })))
  assert.equal(long.type === 'commit' && long.user?.name.length, 65_535)
})

test('answers arrive as they were sent', () => {
  assert.deepEqual(
    [encodeRevision(2 ** 40), encodeDone(2 ** 32 - 1, 5), encodeRefused(1, 2), encodeFailed(3, 'no röom')].map(one =>
      decodeTold(whole(one))
    ),
    [
      { type: 'revision', revision: 2 ** 40 },
      { type: 'done', id: 2 ** 32 - 1, revision: 5 },
      { type: 'refused', id: 1, write: 2 },
      { type: 'failed', id: 3, message: 'no röom' }
    ]
  )
})

test('frames are found wherever the stream is cut', () => {
  const stream = Buffer.concat([encodeCommit(1, writes), encodeCheck(2), encodeCommit(3, [])])
  for (let size = 1; size < 40; size++) {
    const reader = new FrameReader()
    const found: Buffer[] = []
    for (let at = 0; at < stream.length; at += size) found.push(...reader.read(stream.subarray(at, at + size)))
    assert.deepEqual(
      found.map(frame => decodeQuestion(frame).id),
      [1, 2, 3]
    )
  }
})

test('what is too long, unknown or cut off is refused', () => {
  const long = Buffer.alloc(8)
  long.writeUInt32LE(maxFrameBytes + 2)
  assert.throws(() => new FrameReader().read(long), RangeError)
  assert.throws(() => new FrameReader().read(Buffer.alloc(8)), RangeError)
  assert.throws(() => encodeCommit(1, [{ key: '/a', value: Buffer.alloc(maxFrameBytes) }]), RangeError)
  assert.throws(() => decodeQuestion(Buffer.from([99, 0, 0, 0, 0])), RangeError)
  const frame = whole(encodeCommit(7, writes))
  for (let length = 1; length < frame.length; length++) assert.throws(() => decodeQuestion(frame.subarray(0, length)), RangeError)
})

test('a worker that sends what makes no sense is reported, and writes nothing more', async t => {
  const store = openMemoryStore()
  t.after(() => store.close())
  const pipe = new PassThrough()
  const why = new Promise<Error>(resolve => new WriterEnd(store, pipe, resolve))
  pipe.write(Buffer.from([1, 0, 0, 0, 99]))
  assert.ok((await why) instanceof RangeError)
  assert.ok(pipe.destroyed)
})
