import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Duplex, PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { test } from 'node:test'
import { SpdyConnection } from './connection.js'
import { controlFrame, dataHeader, frameTypes, HeaderBlocks, words } from './frames.js'

const cancel = 5

/** A connection, and a function that sends it frames as a kubelet does. */
function fixture() {
  const fromKubelet = new PassThrough()
  const toKubelet = new PassThrough().resume()
  const connection = new SpdyConnection(Duplex.from({ readable: fromKubelet, writable: toKubelet }))
  const blocks = new HeaderBlocks()
  return {
    connection,
    send: (...frames: Buffer[]) => void fromKubelet.write(Buffer.concat(frames)),
    accepted: (id: number) => controlFrame(frameTypes.synReply, 0, Buffer.concat([words(id), blocks.write({})])),
    data: (id: number, text: string) => Buffer.concat([dataHeader(id, 0, text.length), Buffer.from(text)]),
    reset: (id: number) => controlFrame(frameTypes.rstStream, 0, words(id, cancel))
  }
}

test('what a kubelet has sent before it resets a stream is read', async t => {
  const { connection, send, accepted, data, reset } = fixture()
  t.after(() => connection.destroy())
  const stream = connection.open({ streamtype: 'error' })
  send(accepted(stream.id), data(stream.id, 'why it '), data(stream.id, 'failed'), reset(stream.id))
  const pieces: Buffer[] = []
  stream.on('data', piece => pieces.push(piece))
  await once(stream, 'end')
  assert.equal(Buffer.concat(pieces).toString(), 'why it failed')
  // nobody reads what is written now
  stream.end('more')
  await finished(stream)
})

test('a stream that a kubelet resets instead of accepting it has failed', async t => {
  const { connection, send, reset } = fixture()
  t.after(() => connection.destroy())
  const stream = connection.open({ streamtype: 'error' })
  send(reset(stream.id))
  await assert.rejects(buffer(stream), /the kubelet has reset the stream/)
})
