/** The console beside a cluster, and what a page, another page or the cluster could try. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { clusterAccess } from '../../client/connect/connect.js'
import { eventually } from '../../testkit/eventually.js'
import { FakeClock } from '../../testkit/fake-clock.js'
import { startWireServer, type WireServer, wireAnswer } from '../../testkit/wire-server.js'
import { UserError } from '../../util/user-error.js'
import { type RunningConsole, startConsole } from './start.js'

let folder: string
let wire: WireServer
let console: RunningConsole
let token: string
const clock = new FakeClock()

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-proxy-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  await mkdir(join(folder, 'empty'))
})
after(() => rm(folder, { recursive: true }))
beforeEach(async () => {
  wire = await startWireServer()
  console = await started()
  token = await signedIn()
})
afterEach(async () => {
  console.close()
  await wire.close()
})

async function started(headers: Record<string, string | string[]> = {}): Promise<RunningConsole> {
  const access = await clusterAccess({ url: `http://127.0.0.1:${wire.port}/base`, token: 'of-the-cluster' })
  return startConsole({ access: { ...access, headers }, port: 0, folder, clock })
}

const own = (of = console) => `http://127.0.0.1:${of.port}`

async function signedIn(of = console): Promise<string> {
  const code = /^http:\/\/127\.0\.0\.1:\d+\/console\/#code=([\w-]{22})$/.exec(of.link())![1]
  const headers = { 'content-type': 'application/json', origin: own(of), 'sec-fetch-site': 'same-origin' }
  const { status, text } = await ask('POST', '/console/session', headers, JSON.stringify({ code }), of)
  assert.equal(status, 201)
  return JSON.parse(text).token
}

interface Answered {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

function ask(
  method: string,
  path: string,
  headers: http.OutgoingHttpHeaders = {},
  body?: string,
  of = console
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: of.port, method, path, headers, agent: false }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', piece => (text += piece))
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

const session = (more: http.OutgoingHttpHeaders = {}) => ({ authorization: `Bearer ${token}`, ...more })

/** Sends bytes and returns what comes until the connection ends. */
async function raw(text: string): Promise<string> {
  const socket = net.connect(console.port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', piece => (answer += piece))
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}

describe('the proxy of the console', () => {
  it('passes requests on with the credentials of the kubeconfig, and not with those of the page', async () => {
    wire.answer = (_, socket) => void socket.write(wireAnswer('200 OK', ['Content-Type: application/json'], '{"a":1}'))
    const { status, text } = await ask(
      'GET',
      '/api/v1/pods?limit=5&x=%2f',
      session({ cookie: 'a=b', accept: 'application/json' })
    )
    assert.deepEqual([status, text], [200, '{"a":1}'])
    const [{ method, target, headers }] = wire.requests as [(typeof wire.requests)[0]]
    assert.deepEqual([method, target], ['GET', '/base/api/v1/pods?limit=5&x=%2f'])
    assert.deepEqual(headers.get('authorization'), ['Bearer of-the-cluster'])
    assert.deepEqual(headers.get('host'), [`127.0.0.1:${wire.port}`])
    assert.deepEqual(headers.get('accept'), ['application/json'])
    assert.ok(![...headers].flat(2).join('\n').includes(token))
  })

  it('tells the cluster nothing of the page but impersonation', async () => {
    const page = { origin: own(), 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', referer: `${own()}/console/` }
    const users = {
      'x-remote-user': 'root',
      x_remote_group: 'system:masters',
      'impersonate-user': 'bob',
      impersonate_group: 'system:masters'
    }
    const hop = {
      connection: 'keep-alive, x-private, authorization, impersonate-user-x',
      'x-private': '1',
      te: 'trailers',
      'proxy-authorization': 'Basic x',
      'keep-alive': '5'
    }
    await ask('GET', '/api', session({ ...page, ...users, ...hop, cookie: 'a=b' }))
    const names = [...wire.requests[0]!.headers.keys()].filter(name => name !== 'te' && name !== 'connection')
    assert.deepEqual(names.sort(), ['authorization', 'host', 'impersonate-user', 'x-forwarded-for'])
    assert.deepEqual(wire.requests[0]!.headers.get('authorization'), ['Bearer of-the-cluster'])
  })

  it('sends nothing on without a session', async () => {
    const ended = token
    assert.equal((await ask('DELETE', '/console/session', session())).status, 204)
    token = await signedIn()
    await clock.pass(12 * 60 * 60_000)
    const old = token
    const websocket = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AQIDBAUGBwgJCgsMDQ4PEA=='
    }
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer x',
      'Bearer of-the-cluster',
      `Bearer ${ended}`,
      `Bearer ${old}`,
      `Basic ${old}`,
      `Bearer ${old}, x`
    ])
      for (const path of ['/', '/api', '/api/v1/secrets', '/consoles', '//console/', '/version']) {
        const headers = authorization === undefined ? {} : { authorization }
        const { status, text } = await ask('GET', path, headers)
        assert.deepEqual([status, JSON.parse(text).reason], [401, 'Unauthorized'])
        assert.equal((await ask('GET', path, { ...websocket, ...headers })).status, 401)
        assert.equal((await ask('POST', path, headers, '{}')).status, 401)
      }
    assert.equal(wire.requests.length, 0)
  })

  it('sends nothing on for another host or origin', async () => {
    const { port } = console
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `127.0.0.2:${port}`,
      `[::1]:${port}`
    ])
      for (const path of ['/api', '/console/', '/console/config.json'])
        assert.equal((await ask('GET', path, session({ host }))).status, 421, host)
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `https://127.0.0.1:${port}` },
      { origin: `http://localhost:${port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' }
    ]) {
      assert.equal((await ask('GET', '/api', session(headers))).status, 403, JSON.stringify(headers))
      assert.equal((await ask('OPTIONS', '/api', headers)).headers['access-control-allow-origin'], undefined)
    }
    assert.equal(wire.requests.length, 0)
    assert.equal(
      (await ask('GET', '/api', session({ host: `localhost:${port}`, origin: `http://localhost:${port}` }))).status,
      200
    )
  })

  it('is no proxy to other servers', async () => {
    const authorization = `Authorization: Bearer ${token}\r\nConnection: close`
    const host = `Host: 127.0.0.1:${console.port}`
    for (const [line, status] of [
      [`CONNECT 127.0.0.1:${wire.port} HTTP/1.1`, 400],
      ['GET http://evil.example/api HTTP/1.1', 421],
      [`GET http://127.0.0.1:${wire.port}/api HTTP/1.1`, 421],
      ['GET http:///api HTTP/1.1', 400],
      ['GET evil.example HTTP/1.1', 400],
      ['OPTIONS * HTTP/1.1', 400],
      ['TRACE /api HTTP/1.1', 405],
      ['GET /api HTTP/2.0', 505]
    ] as const)
      assert.match(await raw(`${line}\r\n${host}\r\n${authorization}\r\n\r\n`), new RegExp(`^HTTP/1\\.1 ${status} `), line)
    assert.equal(wire.requests.length, 0)
    assert.match(await raw(`GET ${own()}/api HTTP/1.1\r\nHost: evil.example\r\n${authorization}\r\n\r\n`), /^HTTP\/1\.1 200 /)
    assert.equal(wire.requests[0]!.target, '/base/api')
  })

  it('sends each request as the one that it is', async () => {
    const head = `Host: 127.0.0.1:${console.port}\r\nAuthorization: Bearer ${token}`
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const [framing, body] of [
      ['Content-Length: 5\r\nTransfer-Encoding: chunked', `0\r\n\r\n${smuggled}`],
      ['Transfer-Encoding: xchunked', smuggled],
      ['Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${smuggled}`],
      ['Content-Length: 0\r\nContent-Length: 40', smuggled],
      ['Content-Length : 40', smuggled],
      ['Content-Length: +40', smuggled],
      ['X: a\nContent-Length: 40', smuggled],
      ['Transfer-Encoding: chunked', `5\r\nabc\r\n${smuggled}`]
    ])
      await raw(`POST /api/one HTTP/1.1\r\n${head}\r\nConnection: close\r\n${framing}\r\n\r\n${body}`)
    await raw(
      `POST /api/two HTTP/1.1\r\n${head}\r\nConnection: close, content-length\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`
    )
    assert.deepEqual(wire.malformed, [])
    const reached = wire.requests.map(({ target, body }) => [target, body.toString()])
    assert.deepEqual(
      reached.filter(([target]) => target !== '/base/api/one'),
      [['/base/api/two', smuggled]]
    )
  })

  it('acts as one other user at most', async () => {
    const as = await started({ 'impersonate-user': 'alice', 'impersonate-group': ['devs', 'ops'] })
    try {
      const authorization = `Bearer ${await signedIn(as)}`
      assert.equal((await ask('GET', '/api', { authorization }, undefined, as)).status, 200)
      assert.deepEqual(wire.requests[0]!.headers.get('impersonate-user'), ['alice'])
      assert.deepEqual(wire.requests[0]!.headers.get('impersonate-group'), ['devs', 'ops'])
      for (const name of ['impersonate-user', 'impersonate-group', 'impersonate-extra-scopes', 'Impersonate-Uid']) {
        const { status, text } = await ask('GET', '/api', { authorization, [name]: 'system:masters' }, undefined, as)
        assert.equal(status, 403)
        assert.match(JSON.parse(text).message, /--as/)
      }
      assert.equal(wire.requests.length, 1)
    } finally {
      as.close()
    }
  })

  it('lets no answer act in its origin', async () => {
    const hostile = [
      'Content-Type: text/html',
      'Content-Security-Policy: default-src *',
      'Set-Cookie: session=stolen',
      'Clear-Site-Data: "storage"',
      'Service-Worker-Allowed: /',
      'Access-Control-Allow-Origin: *',
      'WWW-Authenticate: Basic realm="x"',
      'Strict-Transport-Security: max-age=31536000',
      'Cache-Control: public, max-age=600',
      'Refresh: 0;url=https://evil.example',
      'Link: <https://evil.example>; rel=preload',
      'Location: https://evil.example/',
      'Alt-Svc: h2="evil.example:443"',
      'X-Frame-Options: ALLOWALL',
      'Cross-Origin-Resource-Policy: cross-origin',
      'SourceMap: https://evil.example/',
      'X-Kubernetes-Pf-Flowschema-Uid: 1',
      'Warning: 299 - "w"',
      'Audit-Id: a'
    ]
    for (const status of ['200 OK', '401 Unauthorized', '302 Found', '500 Internal Server Error']) {
      wire.answer = (_, socket) => void socket.write(wireAnswer(status, hostile, '<script>1</script>'))
      const { headers, text } = await ask(
        'GET',
        '/api/v1/namespaces/x/pods/y/proxy/',
        session({ 'sec-fetch-site': 'same-origin' })
      )
      assert.equal(text, '<script>1</script>')
      const { date: _, connection: __, 'transfer-encoding': ___, ...rest } = headers
      assert.deepEqual(rest, {
        'content-type': 'text/html',
        'content-length': '18',
        'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-cache, private',
        'x-kubernetes-pf-flowschema-uid': '1',
        'audit-id': 'a',
        warning: '299 - "w"'
      })
    }
    for (const [location, given] of [
      ['/api/v1/x/', '/api/v1/x/'],
      ['//evil.example/', undefined],
      ['/\\evil.example/', undefined],
      ['x', undefined]
    ]) {
      wire.answer = (_, socket) => void socket.write(wireAnswer('301 Moved', [`Location: ${location}`]))
      assert.equal((await ask('GET', '/api', session())).headers.location, given)
    }
  })

  it('joins WebSockets, without what the cluster says beside them', async () => {
    const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`
    wire.answer = (_, socket) => {
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: x\r\nSec-WebSocket-Protocol: v5.channel.k8s.io\r\nSet-Cookie: a=b\r\n\r\n'
      )
      // the server listens no more after its answer
      setImmediate(() => socket.on('data', piece => socket.write(piece)).resume())
    }
    const asked = http.request({
      ...{ host: '127.0.0.1', port: console.port, path: '/api/v1/exec' },
      headers: {
        ...{
          connection: 'Upgrade',
          upgrade: 'websocket',
          origin: own(),
          'sec-websocket-version': '13',
          'sec-websocket-key': 'AQIDBAUGBwgJCgsMDQ4PEA=='
        },
        'sec-websocket-protocol': `v5.channel.k8s.io, ${protocol}`
      }
    })
    asked.end()
    const [answer, socket] = (await once(asked, 'upgrade')) as [http.IncomingMessage, net.Socket]
    assert.equal(answer.headers['sec-websocket-protocol'], 'v5.channel.k8s.io')
    assert.equal(answer.headers['set-cookie'], undefined)
    socket.write('ping')
    assert.equal(String((await once(socket, 'data'))[0]), 'ping')
    const { headers } = wire.requests[0]!
    assert.deepEqual(headers.get('sec-websocket-protocol'), ['v5.channel.k8s.io'])
    // kube-apiserver takes no watch without one, and the page's is not the cluster's
    assert.deepEqual(headers.get('origin'), [`http://127.0.0.1:${wire.port}`])
    socket.destroy()
    await eventually('the connection to the cluster has ended', () => wire.open === 0)
    for (const upgrade of ['SPDY/3.1', 'h2c'])
      assert.equal((await ask('GET', '/api', session({ connection: 'Upgrade', upgrade }))).status, 400)
  })

  it('reads answers no faster than the page takes them', async () => {
    const piece = Buffer.alloc(64 * 1024)
    let sent = 0
    wire.answer = (_, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && sent < 256 * 1024 * 1024) {
          sent += piece.length
          if (!socket.write(Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')])))
            return void socket.once('drain', more)
        }
      }
      more()
    }
    const asked = http.request({
      host: '127.0.0.1',
      port: console.port,
      path: '/api/v1/pods?watch=1',
      headers: session(),
      agent: false
    })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [http.IncomingMessage]
    answer.pause()
    let before = -1
    await eventually('the cluster is made to wait', async () => {
      const isStill = sent === before && sent > 0
      before = sent
      await new Promise(resolve => setTimeout(resolve, 50))
      return isStill
    })
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes wait`)
    asked.on('error', () => {}).destroy()
    await eventually('the connection to the cluster has ended', () => wire.open === 0)
  })

  it('reads bodies no faster than the cluster takes them', async () => {
    const slow = net.createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const access = await clusterAccess({ url: `http://127.0.0.1:${(slow.address() as net.AddressInfo).port}` })
    const waiting = await startConsole({ access, port: 0, folder, clock })
    const headers = { authorization: `Bearer ${await signedIn(waiting)}` }
    const asked = http.request({ host: '127.0.0.1', port: waiting.port, path: '/api', method: 'PUT', headers, agent: false })
    asked.on('error', () => {})
    let sent = 0
    while (sent < 256 * 1024 * 1024) {
      const piece = Buffer.alloc(1024 * 1024)
      sent += piece.length
      if (!asked.write(piece) && !(await Promise.race([once(asked, 'drain'), new Promise(resolve => setTimeout(resolve, 500))])))
        break
    }
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes wait`)
    asked.destroy()
    waiting.close()
    slow.close()
  })

  it('gets other credentials when the first have run out, and repeats what has no body', async () => {
    const tokens = ['old', 'new']
    const fixed = await clusterAccess({ url: `http://127.0.0.1:${wire.port}` })
    const credentials = {
      ...fixed.credentials,
      authorization: async () => `Bearer ${tokens[0]}`,
      renew: async () => tokens.length > 1 && tokens.shift() !== undefined
    }
    const renewing = await startConsole({ access: { ...fixed, credentials }, port: 0, folder, clock })
    wire.answer = ({ headers }, socket) => {
      const isOld = headers.get('authorization')?.[0] === 'Bearer old'
      socket.write(wireAnswer(isOld ? '401 Unauthorized' : '200 OK', ['Content-Type: application/json'], '{}'))
    }
    try {
      const authorization = `Bearer ${await signedIn(renewing)}`
      const send = async (method: string, body?: string) => (await ask(method, '/api', { authorization }, body, renewing)).status
      assert.equal(await send('POST', '{}'), 401)
      assert.equal(await send('GET'), 200)
      assert.equal(await send('POST', '{}'), 200)
      tokens[0] = 'old'
      assert.equal(await send('GET'), 401)
    } finally {
      renewing.close()
    }
  })

  it('says when the cluster cannot be reached', async () => {
    await wire.close()
    const { status, text } = await ask('GET', '/api', session())
    assert.deepEqual([status, JSON.parse(text).kind], [502, 'Status'])
    assert.match(JSON.parse(text).message, /^the cluster cannot be reached: .*ECONNREFUSED|connection refused/)
    wire = await startWireServer()
  })

  it('tells the page that it signs in by the link', async () => {
    const { text } = await ask('GET', '/console/config.json')
    const { version: _, ...config } = JSON.parse(text)
    assert.deepEqual(config, { signIn: ['link'], proxied: true, name: `127.0.0.1:${wire.port}` })
    assert.equal((await ask('GET', '/console/pods')).text, '<!doctype html>')
  })

  it('does not start without a front end, nor on a port that others have', async () => {
    const access = await clusterAccess({ url: 'http://127.0.0.1:1' })
    await assert.rejects(startConsole({ access, port: 0, folder: join(folder, 'empty') }), UserError)
    await assert.rejects(startConsole({ access, port: console.port, folder }), UserError)
  })
})
