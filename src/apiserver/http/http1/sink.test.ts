import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Sink } from '../../../apimachinery/request/message.js'
import { connectionLimits } from '../connection-limits.js'
import { Connections } from '../connections.js'
import { createHttp1Server } from './server.js'

/** Starts a server that streams its answers, and returns its port. */
async function serve(t: TestContext, stream: (sink: Sink) => void): Promise<number> {
  const connections = new Connections(connectionLimits)
  const handler = async () => ({ status: 200, headers: {}, stream, takeWithin: 60_000, ended() {} })
  const http1 = createHttp1Server(handler, connections, connectionLimits)
  const server = createServer(socket => {
    connections.add(socket)
    http1.accept(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    connections.closeAll()
  })
  return (server.address() as AddressInfo).port
}

test('chunks of any length arrive as one body, and the connection is used again', async t => {
  const large = Buffer.alloc(70_000, 'x')
  const port = await serve(t, sink => {
    // the same chunk twice, as for two watchers
    for (const chunk of ['one\n', '', 'two\n'].map(text => Buffer.from(text))) assert.equal(sink.write(chunk), true)
    sink.write(large)
    sink.write(large)
    sink.end()
  })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const sockets = new Set<Socket>()
  for (let i = 0; i < 3; i++) {
    const request = http.get({ port, host: '127.0.0.1', agent })
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
    sockets.add(request.socket!)
    const chunks: Buffer[] = await answer.toArray()
    assert.equal(Buffer.concat(chunks).toString(), `one\ntwo\n${large}${large}`)
  }
  assert.equal(sockets.size, 1)
})

test('a client of HTTP/1.0 gets the bytes without frames', async t => {
  const port = await serve(t, sink => {
    sink.write(Buffer.from('one\n'))
    sink.end()
  })
  const socket = connect(port, '127.0.0.1')
  socket.write('GET / HTTP/1.0\r\n\r\n')
  const text = Buffer.concat(await socket.toArray()).toString()
  assert.match(text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\none\n$/)
  assert.doesNotMatch(text, /Transfer-Encoding/i)
})

test('a client that does not read holds the writer up', async t => {
  const chunk = Buffer.alloc(256 * 1024, 'y')
  let sent = 0
  const ended = new Promise<void>(resolve => {
    void serve(t, sink => {
      let drained = 0
      const send = () => {
        while (sent < 64 * chunk.length) {
          sent += chunk.length
          if (!sink.write(chunk)) return
        }
        assert.ok(drained > 0)
        sink.end()
      }
      sink.onDrain(() => {
        drained++
        send()
      })
      sink.onClose(resolve)
      send()
      assert.ok(sent < 64 * chunk.length)
    }).then(port =>
      http.get({ port, host: '127.0.0.1' }, answer => {
        let received = 0
        answer.on('data', (bytes: Buffer) => {
          received += bytes.length
        })
        answer.on('end', () => assert.equal(received, 64 * chunk.length))
      })
    )
  })
  await ended
})
