/** Pages of other origins in a browser that has its user's certificate: no token protocol and no header makes it count. */
import assert from 'node:assert/strict'
import http2 from 'node:http2'
import https from 'node:https'
import { after, before, describe, it } from 'node:test'
import { WebSocket } from 'ws'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

let server: BinnacleServer
let certificate: { cert: Buffer; key: Buffer }
const evil = 'https://evil.example'
const configMaps = '/api/v1/namespaces/default/configmaps'
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

before(async () => {
  server = createServer({
    log: silentLogger,
    controllers: [],
    testApi: true,
    recorder: true,
    corsAllowedOrigins: ['^https://console\\.example$'],
    authenticators: [
      { authenticateToken: token => (token === 'good' ? { user: { name: 'admin', groups: ['system:masters'] } } : undefined) }
    ]
  })
  await server.start()
  const kubeconfig = server.kubeconfig()
  const field = (name: string) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)![1]!, 'base64')
  certificate = { cert: field('client-certificate-data'), key: field('client-key-data') }
})
after(() => server.stop())

type Headers = Record<string, string>
const own = () => new URL(server.url).origin
const options = () => ({ rejectUnauthorized: false, ...certificate })

/** The status over HTTP/1.1, and whether it is the same over HTTP/2. */
async function ask(method: string, path: string, headers: Headers, body?: string): Promise<number> {
  const first = await new Promise<number>((resolve, reject) => {
    const request = https.request(new URL(path, server.url), { method, headers, ...options() })
    request.on('error', reject).on('response', answer => answer.resume().on('end', () => resolve(answer.statusCode!)))
    request.end(body)
  })
  const session = http2.connect(server.url, options())
  const second = await new Promise<number>((resolve, reject) => {
    const stream = session.request({ ':method': method, ':path': path, ...headers }, { endStream: !body })
    stream.on('error', reject).on('response', answer => resolve(answer[':status']!))
    if (body) stream.end(body)
  })
  session.close()
  assert.equal(first === 409 ? 201 : first, second === 409 ? 201 : second)
  return first
}

/** The status of the handshake. */
const open = (protocols: string[], headers: Headers): Promise<number> =>
  new Promise((resolve, reject) => {
    const url = `${server.url.replace('https', 'wss')}${configMaps}?watch=1`
    const socket = new WebSocket(url, protocols, { headers, ...options() })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode!))
    socket.on('error', reject)
  })

const json = { 'content-type': 'application/json' }
const named = (name: string) => JSON.stringify({ metadata: { name } })

describe('a page of another origin', () => {
  it('gets no WebSocket by the certificate, whatever else it sends', async () => {
    const token = `${tokenProtocol}${Buffer.from('good').toString('base64url')}`
    for (const origin of [evil, 'null', own().replace('https', 'http'), own().replace(/\d+$/, '1'), 'x']) {
      const refusals = [
        [[], {}],
        [['x', tokenProtocol], {}],
        [['x', `${tokenProtocol}%`], {}],
        [[token], {}],
        [[], { authorization: 'Basic YTpi' }],
        [[], { authorization: '' }],
        [[], { authorization: 'Bearer' }],
        [[], { authorization: 'Bearer wrong' }]
      ] as const
      for (const [protocols, headers] of refusals) {
        const status = await open([...protocols], { origin, ...headers })
        assert.ok(status === 401 || status === 403, `${origin} ${protocols} ${JSON.stringify(headers)}: ${status}`)
      }
      // what is no URI names no page
      const taken = ['null', 'x'].includes(origin) ? 403 : 101
      assert.equal(await open(['x', token], { origin }), taken)
      assert.equal(await open([], { origin, authorization: 'Bearer good' }), taken)
    }
    assert.equal(await open([], { origin: own() }), 101)
    // no page: a watch over a WebSocket is for pages
    assert.equal(await open([], {}), 403)
    assert.equal(await open([], { origin: 'https://console.example' }), 101)
  })

  it('changes nothing by the certificate', async () => {
    const foreign: Headers[] = [
      { origin: evil },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' }
    ]
    for (const headers of foreign) {
      assert.equal(await ask('POST', configMaps, { ...headers, ...json }, named('a')), 403)
      assert.equal(await ask('POST', configMaps, headers, named('a')), 403)
      assert.equal(await ask('DELETE', `${configMaps}/a`, headers), 403)
      assert.equal(await ask('GET', configMaps, headers), 200)
    }
    assert.equal(await ask('POST', configMaps, { origin: evil, authorization: 'Bearer good', ...json }, named('b')), 201)
    assert.equal(await ask('POST', configMaps, { origin: own(), 'sec-fetch-site': 'same-origin', ...json }, named('c')), 201)
    assert.equal(await ask('POST', configMaps, { origin: 'https://console.example', ...json }, named('d')), 201)
    assert.equal(await ask('POST', configMaps, json, named('e')), 201)
  })
})

describe('the own paths of a server', () => {
  const changes: [method: string, path: string, body: string][] = [
    ['POST', '/testing/v1/clock/freeze', '{}'],
    ['PUT', '/testing/v1/snapshots/a', '{}'],
    ['POST', '/testing/v1/faults', '{"verb":"get","status":500,"times":1,"name":"none"}'],
    ['PUT', '/testing/v1/servers/a', '{}'],
    ['DELETE', '/testing/v1/requests', ''],
    ['PUT', '/debug/flags/v', '2'],
    ['POST', '/binnacle/v1/sets', '{}'],
    ['POST', '/version', '']
  ]

  it('take no change from a page of another origin, not even with a token', async () => {
    for (const [method, path, body] of changes)
      for (const headers of [{ origin: evil }, { 'sec-fetch-site': 'cross-site' }])
        assert.equal(await ask(method, path, { authorization: 'Bearer good', ...json, ...headers }, body), 403, path)
  })

  it('take no body that a form could send', async () => {
    for (const [method, path, body] of changes.filter(([, path]) => path.includes('testing')))
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', ''])
        if (body)
          assert.equal(
            await ask(method, path, type ? { 'content-type': type } : {}, body),
            path.startsWith('/servers') ? 404 : 415,
            path
          )
  })

  it('take JSON, and changes without a body', async () => {
    assert.equal(await ask('POST', '/testing/v1/clock/freeze', { 'content-type': 'Application/JSON; charset=utf-8' }, '{}'), 200)
    assert.equal(await ask('POST', '/testing/v1/clock/release', {}), 200)
    assert.equal(await ask('PUT', '/debug/flags/v', { 'content-type': 'application/x-www-form-urlencoded' }, '2'), 200)
  })
})
