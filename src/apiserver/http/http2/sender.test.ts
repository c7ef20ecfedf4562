import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { Outgoing } from './outgoing.js'
import { Sender } from './sender.js'
import { defaultWindow } from './settings.js'
import type { Stream } from './stream.js'

const turn = () => new Promise(setImmediate)

/** A stream with one byte to send, which is its name. */
function streamOf(id: number, name: string): Stream {
  const outgoing = new Outgoing(id, defaultWindow)
  outgoing.add(Buffer.from(name))
  outgoing.end()
  return { id, outgoing, sent() {}, waitsForWindow() {} } as unknown as Stream
}

test('streams are sent in their turns once the client takes more, but not those that have been given up', async () => {
  const written: string[] = []
  const write = (bytes: Buffer) => {
    written.push(bytes.toString('latin1').replace(/[^a-z]/g, ''))
    return false
  }
  const socket = Object.assign(new EventEmitter(), { write, destroy() {} })
  const answered: number[] = []
  const sender = new Sender(socket as unknown as TLSSocket, 1000, ({ id }) => answered.push(id))
  sender.ready(streamOf(1, 'a'))
  await turn()
  const [b, c, d] = [streamOf(3, 'b'), streamOf(5, 'c'), streamOf(7, 'd')]
  for (const stream of [b, c, d, b]) sender.ready(stream)
  sender.forget(c)
  await turn()
  assert.deepEqual(written, ['a'])
  socket.emit('drain')
  await turn()
  assert.deepEqual(written, ['a', 'bd'])
  assert.deepEqual(answered, [1, 3, 7])
  sender.close()
})
