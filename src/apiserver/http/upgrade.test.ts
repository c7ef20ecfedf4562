import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import { WebSocket } from 'ws'
import type { IncomingRequest, Response } from '../../apimachinery/request/message.js'
import { eventually } from '../../testkit/eventually.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { type Listener, listen } from './listener.js'

const listeners: Listener[] = []
let serving: { certificate: string; key: string }

before(async () => {
  const pki = await loadOrCreatePki({ servingNames: { dns: ['localhost'], ips: ['127.0.0.1'] }, now: Date.now() } as never)
  serving = pki.serving
})
after(() => Promise.all(listeners.map(listener => listener.close(0))))

async function serve(answer: (request: IncomingRequest) => Response) {
  let ended = 0
  const listener = await listen(async request => ({ ...answer(request), takeWithin: 60_000, ended: () => void ended++ }), {
    address: '127.0.0.1',
    port: 0,
    clientCAs: [],
    ...serving
  })
  listeners.push(listener)
  return { port: listener.port, ended: () => ended }
}

/** Echoes all bytes. */
const echo = (connection: Duplex) => void connection.pipe(connection)

describe('a connection that is switched to another protocol', () => {
  it('carries bytes in both directions, from the first byte of the client on', async () => {
    const seen: (string | undefined)[] = []
    const { port, ended } = await serve(({ upgrade }) => {
      seen.push(upgrade)
      return { status: 101, headers: { upgrade: 'SPDY/3.1' }, upgrade: { open: echo } }
    })
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    socket.write('POST /exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\nearly')
    let text = ''
    socket.on('data', data => {
      text += data
    })
    await eventually(
      'all bytes have come back',
      () => text,
      received => received.endsWith('early')
    )
    assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\nupgrade: SPDY\/3\.1\r\nconnection: Upgrade\r\n\r\nearly$/)
    socket.write(' and late')
    await eventually(
      'all bytes have come back',
      () => text,
      received => received.endsWith('early and late')
    )
    assert.deepEqual([seen, ended()], [['spdy/3.1'], 0])
    socket.destroy()
    await eventually('the connection has ended', ended, count => count === 1)
  })

  it('waits for a client that does not read', async () => {
    let written = 0
    const { port } = await serve(() => ({
      status: 101,
      headers: { upgrade: 'x' },
      upgrade: {
        open(connection) {
          const more = () => {
            do written++
            while (connection.write(Buffer.alloc(64 * 1024)))
            connection.once('drain', more)
          }
          more()
        }
      }
    }))
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    await eventually(
      'something is written',
      () => written,
      count => count > 0
    )
    for (let i = 0; i < 200; i++) await new Promise(resolve => setImmediate(resolve))
    assert.ok(written * 64 < 64 * 1024, `${written * 64} KiB have been written to a client that does not read`)
    socket.destroy()
  })

  it('gets a plain answer when the endpoint does not switch', async () => {
    const { port } = await serve(() => ({ status: 403, headers: {}, body: Buffer.from('no') }))
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    const [data] = await once(socket, 'data')
    assert.match(String(data), /^HTTP\/1\.1 403 /)
    socket.destroy()
  })
})

describe('a WebSocket in both directions', () => {
  const open = async (port: number, protocols: string[]) => {
    const client = new WebSocket(`wss://127.0.0.1:${port}/exec`, protocols, { rejectUnauthorized: false })
    await once(client, 'open')
    return client
  }

  it('keeps the bounds and types of messages, and accepts larger messages than a watch', async () => {
    const { port, ended } = await serve(() => ({
      status: 101,
      headers: {},
      upgrade: { protocols: ['v5.channel.k8s.io', 'v4.channel.k8s.io'], open: echo }
    }))
    const client = await open(port, ['unknown', 'v4.channel.k8s.io', 'v5.channel.k8s.io'])
    assert.equal(client.protocol, 'v4.channel.k8s.io')
    const seen: [string, boolean][] = []
    client.on('message', (data, isBinary) => seen.push([String(data), isBinary]))
    client.send('text')
    client.send(Buffer.from('bytes'))
    client.send('x'.repeat(100_000))
    await eventually(
      'three are seen',
      () => seen,
      ({ length }) => length === 3
    )
    assert.deepEqual(seen, [
      ['text', false],
      ['bytes', true],
      ['x'.repeat(100_000), false]
    ])
    client.close()
    await eventually('the connection has ended', ended, count => count === 1)
  })

  it('ends with a message that is too large', async () => {
    const { port } = await serve(() => ({ status: 101, headers: {}, upgrade: { maxMessageBytes: 10, open: echo } }))
    const client = await open(port, [])
    client.on('error', () => {})
    client.send('x'.repeat(11))
    const [code] = await once(client, 'close')
    assert.equal(code, 1009)
  })
})
