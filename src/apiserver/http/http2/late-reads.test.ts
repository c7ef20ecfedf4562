/** What a connection sends while the event loop has been busy for long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { OtherEnd, turns } from '../../../testkit/other-end.js'
import { literals, preface } from '../../../testkit/raw-http2.js'
import { connectionLimits } from '../connection-limits.js'
import { Turns } from '../turns.js'
import { flag, frame, frameType } from './frames.js'
import { Session } from './session.js'
import type { Stream } from './stream.js'

const fields = literals([
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/'],
  [':authority', 'x']
])
const request = (id: number) =>
  frame(frameType.headers, flag.endHeaders | flag.endStream, id, fields.length, (into, at) => void fields.copy(into, at))
const settings = frame(frameType.settings, 0, 0, 0)
const requests = (from: number, to: number) =>
  Buffer.concat(Array.from({ length: to - from }, (_, n) => request(2 * (from + n) + 1)))

function connect() {
  const socket = new OtherEnd()
  const shared = new Turns()
  const begun: number[] = []
  const handler = { request: (stream: Stream) => void begun.push(stream.id), close() {} }
  new Session(socket as unknown as TLSSocket, connectionLimits, shared, handler)
  socket.push(Buffer.concat([Buffer.from(preface), settings]))
  /** Lets the present turn of the event loop run for longer than it should. */
  const becomeLate = () => {
    while (!shared.isLate());
  }
  return { socket, begun, becomeLate }
}
/** Lets what has come be told of, in the same turn of the event loop. */
const ticks = async () => {
  for (let i = 0; i < 20; i++) await new Promise<void>(resolve => process.nextTick(resolve))
}

test('much of it is read in later turns, in its order, and a little at once', async () => {
  const { socket, begun, becomeLate } = connect()
  await turns(2)
  becomeLate()
  socket.push(requests(0, 2))
  await ticks()
  assert.deepEqual([begun, socket.isPaused()], [[1, 3], false])
  socket.push(requests(2, 40))
  socket.push(requests(40, 41))
  await ticks()
  assert.deepEqual([begun.length, socket.isPaused()], [2, true])
  await turns(100)
  assert.deepEqual([begun, socket.isPaused()], [Array.from({ length: 41 }, (_, n) => 2 * n + 1), false])
})

test('a connection that breaks the rules then is read to its end', async () => {
  const { socket, begun, becomeLate } = connect()
  await turns(2)
  becomeLate()
  socket.push(Buffer.concat([frame(frameType.pushPromise, 0, 1, 0), requests(0, 40)]))
  await ticks()
  await turns(20)
  assert.deepEqual([begun, socket.isPaused()], [[], false])
})
