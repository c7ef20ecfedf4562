/** What the bytes of one connection are taken for, and when. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { IncomingRequest, Response } from '../../../apimachinery/request/message.js'
import { unchanging } from '../../../testkit/eventually.js'
import { type ConnectionLimits, connectionLimits } from '../connection-limits.js'
import { Connections } from '../connections.js'
import { createHttp1Server } from './server.js'

type Answerer = (request: IncomingRequest) => Response | Promise<Response>
const text = (body: string): Response => ({ status: 200, headers: {}, body: Buffer.from(body) })
/** Answers with all that the server has understood. */
const echo: Answerer = async request =>
  text(`[${request.method} ${request.url} ${(await request.readBody(1 << 20)).toString()}${request.upgrade ?? ''}]`)

async function serve(t: TestContext, answer: Answerer, limits: Partial<ConnectionLimits> = {}): Promise<() => Socket> {
  const all = { ...connectionLimits, ...limits }
  const connections = new Connections(all)
  const handler = async (request: IncomingRequest) => ({ takeWithin: 60_000, ended() {}, ...(await answer(request)) })
  const http1 = createHttp1Server(handler, connections, all)
  const server = createServer(socket => {
    connections.add(socket)
    http1.accept(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
    connections.closeAll()
  })
  return () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    sockets.push(socket)
    return socket
  }
}

const open = async (t: TestContext, answer: Answerer) => (await serve(t, answer))()

/** Sends bytes in pieces of `size`, and a last request that closes the connection. Returns all that comes back. */
async function exchange(t: TestContext, bytes: string, answer = echo, size = bytes.length): Promise<string> {
  const socket = await open(t, answer)
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.slice(at, at + size), 'latin1')
    if (size < bytes.length) await new Promise(resolve => setImmediate(resolve))
  }
  return Buffer.concat(await socket.toArray()).toString('latin1')
}

const last = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const bodiesOf = (answers: string) => [...answers.matchAll(/\[.*?\]/gs)].map(([body]) => body)
const firstLine = (answers: string) => answers.split('\r\n')[0]

test('requests that come at once begin one after the other, and are answered in their order', async t => {
  const begun: string[] = []
  let underWay = 0
  const answers = await exchange(
    t,
    Array.from({ length: 200 }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: x\r\n\r\n`).join('') + last,
    async request => {
      assert.equal(underWay++, 0)
      begun.push(request.url)
      await new Promise(resolve => setImmediate(resolve))
      underWay--
      return text(`[${request.url}]`)
    }
  )
  assert.deepEqual(begun, [...Array.from({ length: 200 }, (_, i) => `/${i}`), '/last'])
  assert.deepEqual(
    bodiesOf(answers),
    begun.map(url => `[${url}]`)
  )
})

test('others have their turns between the requests of a connection that sends many at once', async t => {
  const many = 3000
  let handled = 0
  const connection = await serve(t, ({ url }) => {
    const end = performance.now() + 0.2
    while (performance.now() < end);
    if (url === '/many') handled++
    return text(`[${url}]`)
  })
  const attackers = [connection(), connection(), connection()]
  for (const socket of attackers) socket.resume().write('GET /many HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(many))
  while (handled === 0) await new Promise(resolve => setImmediate(resolve))
  const before = handled
  const other = connection()
  other.write('GET /other HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.match(String((await once(other, 'data'))[0]), /\[\/other\]$/)
  assert.ok(handled - before < many / 2, `${handled - before} requests came before`)
})

test('what one connection has sent ahead does not fill the memory', async t => {
  let asked = 0
  const socket = await open(t, () => {
    asked++
    return new Promise<Response>(() => {})
  })
  const request = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1000))
  let sent = 0
  const taken = () => new Promise<void>(resolve => socket.write(request, () => resolve(void sent++)))
  let isOver = false
  const sendAll = async () => {
    while (!isOver) await taken()
  }
  void sendAll()
  await unchanging('what the server takes', () => sent)
  isOver = true
  // the buffers of the system, and little more
  assert.ok(sent * request.length < 16 << 20, `${sent * request.length} bytes were taken`)
  assert.equal(asked, 1)
})

test('a client that does not take its answers gets no further ones', async t => {
  let asked = 0
  const socket = await open(t, () => {
    asked++
    return text('x'.repeat(60_000))
  })
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000))
  await unchanging('the number of requests', () => asked, 50)
  assert.ok(asked > 1 && asked < 500, `${asked} requests were worked on`)
})

test('bodies end where their framing says, in whatever pieces they come', async t => {
  const requests =
    'POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n1\r\n\r\n' +
    'POST /b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n00a;x="\r1\n"\r\n'.replace('\r1\n', 'y') +
    '0123456789\r\n0\r\nTrailer: v\r\n\r\n' +
    'POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n' +
    'GET http://y/d?e HTTP/1.1\r\nHost: x\r\n\r\n' +
    '\r\nGET /f HTTP/1.1\r\nhost:\t x \r\nConnection: close\r\n\r\n'
  for (const size of [1, 2, 7, 50, requests.length])
    assert.deepEqual(
      bodiesOf(await exchange(t, requests, echo, size)),
      ['[POST /a 1\r\n\r\n]', '[POST /b abc0123456789]', '[POST /c ]', '[GET /d?e ]', '[GET /f ]'],
      `pieces of ${size}`
    )
})

test('a body stays a body beside an upgrade, whatever its protocol', async t => {
  for (const protocol of ['h2c', 'SPDY/3.1', 'TLS/1.0', 'websocket', '', 'websocket, h2c']) {
    const head = `Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n`
    const answers = await exchange(
      t,
      `POST /a HTTP/1.1\r\n${head}Content-Length: 4\r\n\r\nbody` +
        `GET /b HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n` +
        `POST /c HTTP/1.1\r\n${head}\r\n${last}`
    )
    assert.deepEqual(bodiesOf(answers), [
      '[POST /a body]',
      '[GET /b body]',
      `[POST /c ${protocol.toLowerCase()}]`,
      '[GET /last ]'
    ])
  }
})

test('bytes that two readers could understand differently are refused', async t => {
  const head = (lines: string, line = 'POST / HTTP/1.1') => `${line}\r\n${lines}\r\n`
  const bad = '400 Bad Request'
  const cases: [string, string][] = [
    [head('Host: x\r\nHost: x\r\n'), bad],
    [head('Host: x\r\nhost: y\r\n'), bad],
    [head(''), `${bad}: missing required Host header`],
    [head('Host: a b\r\n'), `${bad}: malformed Host header`],
    [head('Host: x\r\nA: b\r\n c\r\n'), bad],
    [head('Host: x\r\nA : b\r\n'), bad],
    [head(' Host: x\r\n'), bad],
    [head('Host: x\r\n: b\r\n'), bad],
    [head('Host: x\r\nA\r\n'), bad],
    [head('Host: x\r\nA: \0\r\n'), bad],
    [head('Host: x\r\nA: b\rc\r\n'), bad],
    ['POST / HTTP/1.1\nHost: x\n\n', bad],
    [head('Host: x\r\nA: b\nContent-Length: 3\r\n'), bad],
    ...['+3', '-1', '0x3', '3, 3', '3 3', '', '1e1', '9'.repeat(16), '٣'].map((length): [string, string] => [
      head(`Host: x\r\nContent-Length: ${length}\r\n`),
      bad
    ]),
    [head('Host: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n'), bad],
    [head('Host: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n'), bad],
    [head('Transfer-Encoding: chunked\r\n', 'POST / HTTP/1.0'), bad],
    ...['gzip', 'chunked, chunked', 'gzip, chunked', '"chunked"', ''].map((coding): [string, string] => [
      head(`Host: x\r\nTransfer-Encoding: ${coding}\r\n`),
      '501 Not Implemented'
    ]),
    [head('Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'), bad],
    ...['HTTP/2.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/3.0'].map((version): [string, string] => [
      head('Host: x\r\n', `GET / ${version}`),
      '505 HTTP Version Not Supported: unsupported protocol version'
    ]),
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '505 HTTP Version Not Supported: unsupported protocol version'],
    ...['GET /', 'GET / HTTP/2', 'GET / http/1.1', 'GET  / HTTP/1.1', 'GET / HTTP/1.1 ', 'GET\t/ HTTP/1.1', 'G(T / HTTP/1.1'].map(
      (line): [string, string] => [head('Host: x\r\n', line), bad]
    ),
    ...[
      'GET x HTTP/1.1',
      'GET ftp://x/ HTTP/1.1',
      'GET http:///a HTTP/1.1',
      'GET http://u@x/ HTTP/1.1',
      'CONNECT x:1 HTTP/1.1'
    ].map((line): [string, string] => [head('Host: x\r\n', line), bad]),
    [head('Host: x\r\nContent-Length: 1\r\nExpect: 200-ok\r\n'), '417 Expectation Failed']
  ]
  for (const [bytes, status] of cases) {
    const answers = await exchange(t, bytes + last)
    assert.equal(firstLine(answers), `HTTP/1.1 ${status}`, JSON.stringify(bytes))
    assert.equal(answers.split('HTTP/1.1').length, 2)
  }
})

test('a malformed body ends its connection, and what follows is no request', async t => {
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (const body of [
    ...[
      '3\nabc\r\n0\r\n\r\n',
      '3\r\nabc\n0\r\n\r\n',
      '3\r\nabcd\r\n0\r\n\r\n',
      'x\r\n',
      '+3\r\nabc\r\n0\r\n\r\n',
      ' 3\r\nabc\r\n0\r\n\r\n'
    ],
    ...[
      '0x3\r\nabc\r\n0\r\n\r\n',
      '\r\n',
      ';a\r\n',
      '3 \r\nabc\r\n0\r\n\r\n',
      '0\r\n a: b\r\n\r\n',
      '0\r\na: b\n\r\n\r\n',
      '3;\n\r\nabc'
    ],
    ...['1000000000000\r\n', '0\r\nA\r\n\r\n', '0\r\n\n\r\n\r\n']
  ]) {
    const answers = await exchange(t, head + body + last)
    assert.equal(firstLine(answers), 'HTTP/1.1 400 Bad Request', JSON.stringify(body))
    assert.equal(bodiesOf(answers).length, 0)
  }
  const extensions = await exchange(t, `${head}${`1;${'x'.repeat(2000)}\r\n \r\n`.repeat(10)}0\r\n\r\n${last}`)
  assert.equal(firstLine(extensions), 'HTTP/1.1 413 Payload Too Large')
  // a trailer that never ends
  const trailers = await exchange(t, `${head}0\r\nX-A: ${'b'.repeat(2 * 1024 * 1024)}`)
  assert.equal(firstLine(trailers), 'HTTP/1.1 431 Request Header Fields Too Large')
})

test('a body that nobody wants is taken before the next request, or ends the connection', async t => {
  const answer: Answerer = ({ url }) => text(`[${url}]`)
  const post = (length: number) => `POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
  assert.deepEqual(bodiesOf(await exchange(t, `${post(29)}GET / HTTP/1.1\r\nHost: x\r\n\r\n  ${last}`, answer)), [
    '[/a]',
    '[/last]'
  ])
  assert.deepEqual(bodiesOf(await exchange(t, post(400_000) + 'x'.repeat(400_000) + last, answer)), ['[/a]'])
})

test('a client that waits to be asked for its body is asked when somebody reads it', async t => {
  const head = 'Host: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n'
  const socket = await open(t, request => (request.url === '/read' ? echo(request) : text('[no]')))
  socket.write(`POST /read HTTP/1.1\r\n${head}`)
  const [asked] = await once(socket, 'data')
  assert.equal(String(asked), 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write(`ok`)
  assert.deepEqual(bodiesOf(String((await once(socket, 'data'))[0])), ['[POST /read ok]'])
  socket.write(`POST /other HTTP/1.1\r\n${head}`)
  const rest = Buffer.concat(await socket.toArray()).toString()
  assert.match(rest, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\nconnection: close\r\n\r\n\[no\]$/)
})

test('an answer has the length that it announces, or ends its connection', async t => {
  const streaming =
    (headers: Record<string, string>, chunks: string[]): Answerer =>
    () => ({
      status: 200,
      headers,
      stream(sink) {
        for (const chunk of chunks) sink.write(Buffer.from(chunk))
        sink.end()
      }
    })
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  const sound = await exchange(t, get + last, streaming({ 'content-length': '4' }, ['ab', 'cd']))
  assert.equal(sound.split('\r\n\r\nabcd').length, 3)
  for (const chunks of [['ab'], ['ab', 'cde']]) {
    const answers = await exchange(t, get + last, streaming({ 'content-length': '4' }, chunks))
    assert.ok(answers.split('HTTP/1.1').length <= 2)
  }
  const framed = await exchange(
    t,
    last,
    streaming({ 'transfer-encoding': 'gzip', connection: 'x', 'content-length': 'x' }, ['ab'])
  )
  assert.match(framed, /\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n2\r\nab\r\n0\r\n\r\n$/)
  assert.doesNotMatch(framed, /gzip|content-length/)
  const split: Answerer = () => ({ status: 200, headers: { a: 'b\r\nc: d' }, body: Buffer.from('x') })
  assert.equal(await exchange(t, last, split).catch(() => ''), '')
})

test('a client that sends nothing more gets the answer that has been written', async t => {
  const large = 20_000_000
  let isAsked = () => {}
  const asked = new Promise<void>(resolve => (isAsked = resolve))
  const socket = await open(t, () => {
    isAsked()
    return text('x'.repeat(large))
  })
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await asked
  // the answer is written at the end of the turn
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  socket.end()
  assert.ok(Buffer.concat(await socket.toArray()).length > large)
})
