/**
 * What clients send must reach other servers as the one request that it is: the connections to them are shared, and extension API servers believe
 * whoever writes to one.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import { type BinnacleServer, createServer } from '../../index.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import { silentLogger } from '../../util/logger.js'
import { pick, type Random, random, some } from '../random.js'
import { startWireServer, type WireServer } from '../wire-server.js'

const group = 'wire.example.com'
const root = `/apis/${group}/v1`
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\nX-Remote-User: admin\r\nX-Remote-Group: system:masters\r\n\r\n'

/** What a head may hold, well-formed or not, in any number. */
const lines = [
  ...[
    'Content-Length',
    'content-length',
    'Transfer-Encoding',
    'Host',
    'Authorization',
    'X-Remote-User',
    'close',
    'keep-alive',
    'Audit-ID'
  ].map(name => `Connection: keep-alive, ${name}`),
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==',
  'Content-Length: 0',
  'Content-Length: 5',
  'Transfer-Encoding: identity',
  'X-Remote-User: admin',
  'X_Remote_User: admin',
  'x-remote-group: system:masters',
  'X_Remote-Group: system:masters',
  'X-Remote-Extra-A: b',
  'Expect: 100-continue',
  'TE: trailers, chunked',
  'Trailer: X-Remote-User',
  'Proxy-Connection: keep-alive',
  'Keep-Alive: timeout=5',
  'X-Forwarded-For: 10.0.0.1'
]

interface Body {
  readonly lines: readonly string[]
  readonly bytes: string
  /** What a reader finds in the bytes, where the head has no other framing. */
  readonly content: string
}

const chunked = (text: string, pieces: number): string => {
  const size = Math.max(1, Math.ceil(text.length / pieces))
  let bytes = ''
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(at, at + size)
    bytes += `${piece.length.toString(16)}\r\n${piece}\r\n`
  }
  return `${bytes}0\r\n\r\n`
}

function bodyFor(next: Random): Body {
  const content = pick(next, ['', smuggled, `${smuggled}${smuggled}`, '{"a":1}'])
  if (next(3) === 0) return { lines: [], bytes: '', content: '' }
  return next(2) === 0
    ? { lines: [`Content-Length: ${content.length}`], bytes: content, content }
    : { lines: ['Transfer-Encoding: chunked'], bytes: chunked(content, 1 + next(3)), content }
}

describe('a request that is passed on', () => {
  let wire: WireServer
  let server: BinnacleServer

  before(async () => {
    const { serving } = await loadOrCreatePki({ servingNames: ['api.wire.svc'], now: Date.now() })
    wire = await startWireServer({ cert: serving.certificate, key: serving.key })
    server = createServer({
      log: silentLogger,
      resolveService: { 'wire/api': `127.0.0.1:${wire.port}` },
      authenticators: [
        {
          authenticateToken: token =>
            token === 'alice'
              ? { user: { name: 'alice', groups: [] } }
              : token === 'root'
                ? { user: { name: 'root', groups: ['system:masters'] } }
                : undefined
        }
      ]
    })
    await server.start()
    const spec = {
      ...{ group, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
      ...{ service: { namespace: 'wire', name: 'api', port: 443 }, insecureSkipTLSVerify: true }
    }
    const url = '/apis/apiregistration.k8s.io/v1/apiservices'
    const user = { name: 'admin', groups: ['system:masters'] }
    assert.equal((await server.inject({ url, body: { metadata: { name: `v1.${group}` }, spec }, user })).status, 201)
    for (;;) {
      const { status } = (await server.inject({ url: `${url}/v1.${group}`, user })).json()
      if (status?.conditions?.[0]?.status === 'True') break
      await new Promise(setImmediate)
    }
  })
  after(async () => {
    await server.stop()
    await wire.close()
  })

  /** Resolves when the server has ended the connection, which a last request asks for; a body that is too short takes bytes of that one. */
  async function sendBytes(bytes: string): Promise<void> {
    const { port } = new URL(server.url)
    const socket = tls.connect({ port: Number(port), host: '127.0.0.1', ca: server.caCertificate, ALPNProtocols: ['http/1.1'] })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.write(`${bytes}GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    socket.resume()
    await once(socket, 'close')
  }

  /** Of the requests that clients have sent; the server itself asks for discovery, too. */
  const ofClients = () => wire.requests.filter(({ target }) => target.includes('id=') || target.startsWith('/smuggled'))

  const check = (contents: ReadonlyMap<string, string>) => {
    assert.deepEqual(wire.malformed, [])
    const seen = new Set<string>()
    for (const { target, headers, body } of ofClients()) {
      const id = /[?&]id=(\w+)/.exec(target)?.[1] ?? ''
      assert.ok(contents.has(id) && !seen.has(id), `${target} came ${seen.has(id) ? 'twice' : 'although nobody sent it'}`)
      seen.add(id)
      assert.deepEqual(headers.get('x-remote-user'), [target.includes('/things') ? 'root' : 'alice'])
      for (const name of headers.keys()) assert.ok(!/^x[-_]remote[-_](?:extra|uid)|_|^authorization$/.test(name), name)
      const groups = target.includes('/things') ? ['system:masters', 'system:authenticated'] : ['system:authenticated']
      assert.deepEqual(headers.get('x-remote-group'), groups)
      // a head that names other lengths may be refused, or have the body that they frame
      assert.ok(contents.get(id)!.includes(body.toString()) || body.length === 5, `${target} has the body ${body}`)
    }
    return seen.size
  }

  it('is one request with its own body and its own user, whatever its head says, over HTTP/1.1', async () => {
    const next = random(38)
    const contents = new Map<string, string>()
    for (let n = 0; n < 200; n++) {
      const body = bodyFor(next)
      const method = pick(next, ['GET', 'GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS'])
      const isRoot = method !== 'GET' || next(2) === 0
      const path = `${root}${isRoot ? '/things' : ''}?id=${n}`
      const given = some(next, lines).filter(() => next(3) === 0)
      const head = [...given, ...body.lines].sort(() => next(3) - 1)
      contents.set(String(n), body.content)
      const credentials = `Authorization: Bearer ${isRoot ? 'root' : 'alice'}`
      await sendBytes([`${method} ${path} HTTP/1.1`, 'Host: x', credentials, ...head, '', body.bytes].join('\r\n'))
    }
    assert.ok(check(contents) > 60)
  })

  it('is one over HTTP/2, too', async () => {
    wire.requests.length = 0
    const contents = new Map<string, string>()
    const next = random(39)
    const session = http2.connect(server.url, { ca: server.caCertificate })
    for (let n = 0; n < 60; n++) {
      const content = pick(next, ['', smuggled, '{"a":1}'])
      const method = pick(next, ['GET', 'HEAD', 'DELETE', 'POST', 'PATCH'])
      contents.set(`h${n}`, content)
      const stream = session.request(
        {
          ':method': method,
          ':path': `${root}/things?id=h${n}`,
          authorization: 'Bearer root',
          ...(next(2) === 0 && { 'content-length': String(content.length) }),
          ...(next(2) === 0 && { 'x-remote-user': 'admin', x_remote_user: 'admin' })
        },
        { endStream: false }
      )
      stream.on('error', () => {})
      stream.end(content)
      stream.resume()
      await once(stream, 'close')
    }
    session.destroy()
    assert.ok(check(contents) >= 55)
  })

  it('keeps connections for later requests', () => assert.ok(wire.open > 0 && wire.open < 30, `${wire.open} are open`))

  it('gets no switch of the protocol that nobody asked for, and leaves no connection behind', async () => {
    const before = wire.answer
    let closed: Promise<unknown> | undefined
    wire.answer = (_, socket) => {
      closed = once(socket, 'close')
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    }
    const { status, body } = await server.inject({ url: `${root}/things`, user: { name: 'root', groups: ['system:masters'] } })
    assert.equal(status, 503)
    assert.equal(body.toString(), 'backend tried to switch protocol "websocket" when "" was requested\n')
    await closed
    wire.answer = before
  })
})
