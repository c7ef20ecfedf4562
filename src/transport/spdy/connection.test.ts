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

for (const [what, type, payload] of [
  ['pings', frameTypes.ping, words(2)],
  ['new streams', frameTypes.synStream, words(2, 0)]
] as const)
  test(`a kubelet that sends ${what} and does not read the answers loses the connection`, async () => {
    const written: (() => void)[] = []
    const socket = new Duplex({
      read() {},
      write: (_chunk, _encoding, done) => void written.push(done)
    })
    const connection = new SpdyConnection(socket)
    const stream = connection.open({ streamtype: 'error' })
    const frame = controlFrame(type, 0, payload)
    // those that have left count no more
    for (let i = 0; i < 300; i++) {
      socket.push(frame)
      await new Promise(setImmediate)
      while (written.length > 0) written.shift()!()
    }
    assert.equal(socket.destroyed, false)
    socket.push(Buffer.concat(Array(101).fill(frame)))
    await assert.rejects(buffer(stream), /the kubelet does not read its answers/)
  })
