import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { spdyDictionary } from './dictionary.js'
import { controlFrame, dataHeader, frameTypes, HeaderBlocks, words } from './frames.js'
import { serveSpdy } from './server.js'

/** A connection of which the test is the client: `sent` comes from it, and what is written to it is thrown away. */
function connection(accepted = () => {}) {
  const socket = new Duplex({ read() {}, write: (_, __, done) => done() })
  serveSpdy(socket, accepted)
  return socket
}
const open = (id: number, block: Buffer) =>
  controlFrame(frameTypes.synStream, 0, Buffer.concat([words(id, 0), Buffer.alloc(2), block]))
const headers = () => new HeaderBlocks().write({ streamtype: 'data' })

describe('the server of SPDY', () => {
  const hostile = {
    'frames of another version': Buffer.from('8002000100000000', 'hex'),
    'data of no stream': dataHeader(0, 0, 1),
    'a frame that is too short': controlFrame(frameTypes.synStream, 0, Buffer.alloc(2)),
    'a ping without a number': controlFrame(frameTypes.ping, 0, Buffer.alloc(1)),
    'headers that are not compressed': open(1, Buffer.from('streamtype: data')),
    'headers that end too early': open(1, deflateSync(words(7), { dictionary: spdyDictionary })),
    'headers that become too large': open(1, deflateSync(Buffer.alloc(1 << 20), { dictionary: spdyDictionary })),
    'a stream that is there already': Buffer.concat([open(1, headers()), open(1, Buffer.alloc(0))])
  }
  for (const [what, bytes] of Object.entries(hostile))
    test(`ends a connection with ${what}`, { timeout: 10_000 }, async () => {
      const socket = connection()
      const closed = once(socket, 'close')
      socket.push(bytes)
      await closed
      assert.ok(socket.destroyed)
    })

  test('ends a stream that its client resets', { timeout: 10_000 }, async () => {
    let stream: Duplex | undefined
    const socket = new Duplex({ read() {}, write: (_, __, done) => done() })
    const accepted = new Promise<void>(resolve => {
      serveSpdy(socket, one => {
        stream = one
        resolve()
      })
    })
    socket.push(open(1, headers()))
    await accepted
    const closed = once(stream!, 'close')
    socket.push(controlFrame(frameTypes.rstStream, 0, words(1, 5)))
    await closed
    assert.ok(!socket.destroyed)
    socket.destroy()
  })
})
