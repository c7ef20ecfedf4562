/** Connections that are reset, over real HTTP/1.1 and HTTP/2. */
import assert from 'node:assert/strict'
import http2 from 'node:http2'
import https from 'node:https'
import { after, afterEach, before, describe, test } from 'node:test'
import WebSocket from 'ws'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const maps = '/api/v1/namespaces/default/configmaps'
const user = { name: 'tester', groups: ['system:masters'] }
let server: BinnacleServer

before(async () => {
  server = createServer({
    log: silentLogger,
    controllers: [],
    authorizationMode: ['AlwaysAllow'],
    anonymousAuth: true,
    // the connections of unknown clients end by themselves otherwise
    featureGates: { UnauthenticatedHTTP2DOSMitigation: false }
  })
  await server.start()
  for (const name of ['a', 'b', 'c', 'd'])
    await server.inject({ url: maps, user, body: { metadata: { name }, data: { text: 'x'.repeat(100) } } })
})
after(() => server.stop())
afterEach(() => server.faults.clear())

interface Outcome {
  /** Undefined when the connection ended before an answer. */
  readonly status: number | undefined
  readonly body: string
  /** The code of the connection's error. */
  readonly error: string | undefined
}

type Get = (path: string) => Promise<Outcome>

const overHttp1: Get = path =>
  new Promise(resolve => {
    let [status, body]: [number | undefined, string] = [undefined, '']
    let error: string | undefined
    const request = https.get(server.url + path, { ca: server.caCertificate, agent: false }, response => {
      status = response.statusCode
      response.on('data', data => {
        body += data
      })
      response.on('error', (failed: NodeJS.ErrnoException) => {
        error = failed.code
      })
      response.on('end', () => resolve({ status, body, error }))
      response.on('close', () => resolve({ status, body, error }))
    })
    request.on('error', (failed: NodeJS.ErrnoException) => resolve({ status, body, error: failed.code }))
  })

const overHttp2: Get = path =>
  new Promise(resolve => {
    const session = http2.connect(server.url, { ca: server.caCertificate })
    let [status, body]: [number | undefined, string] = [undefined, '']
    let error: string | undefined
    session.on('error', (failed: NodeJS.ErrnoException) => {
      error = failed.code
    })
    const stream = session.request({ ':path': path })
    stream.on('error', () => {})
    stream.on('response', headers => {
      status = headers[':status']
    })
    stream.on('data', data => {
      body += data
    })
    stream.on('end', () => error === undefined && session.close())
    session.on('close', () => resolve({ status, body, error }))
  })

for (const [protocol, get] of [
  ['HTTP/1.1', overHttp1],
  ['HTTP/2', overHttp2]
] as const)
  describe(`over ${protocol}`, () => {
    test('a request without a fault is answered', async () => {
      const { status, error } = await get(`${maps}/a`)
      assert.deepEqual([status, error], [200, undefined])
    })

    test('a connection is reset before the answer', async () => {
      const fault = server.faults.add({ verb: 'get', times: 1, reset: true })
      const { status, error } = await get(`${maps}/a`)
      assert.deepEqual([status, error], [undefined, 'ECONNRESET'])
      assert.equal(fault.hits[0]!.action, 'reset')
      assert.equal((await get(`${maps}/a`)).status, 200)
    })

    for (const path of [`${maps}/a`, maps])
      test(`a connection is reset in the middle of the body of ${path}`, async () => {
        const whole = (await get(path)).body
        const fault = server.faults.add({ times: 1, cutAfter: 50 })
        const { status, body, error } = await get(path)
        assert.deepEqual([status, body], [200, whole.slice(0, 50)])
        assert.equal(error, 'ECONNRESET')
        await fault.done
        assert.equal((await get(path)).body, whole)
      })

    test('a watch sends half a frame', async () => {
      const whole = (await get(`${maps}?watch=1&timeoutSeconds=1`)).body.split('\n')
      const fault = server.faults.add({ times: 1, watch: { afterEvents: 2, do: 'halfFrame' } })
      const { status, body, error } = await get(`${maps}?watch=1&timeoutSeconds=10`)
      const lines = body.split('\n')
      assert.deepEqual([status, lines.slice(0, 2)], [200, whole.slice(0, 2)])
      assert.equal(lines.length, 3)
      assert.equal(lines[2], whole[2]!.slice(0, (whole[2]!.length + 1) >> 1))
      assert.equal(error, 'ECONNRESET')
      await fault.done
    })

    test('a watch is cut in the middle of its bytes', async () => {
      server.faults.add({ times: 1, verb: 'watch', cutAfter: 300 })
      const { body, error } = await get(`${maps}?watch=1&timeoutSeconds=10`)
      assert.deepEqual([body.length, error], [300, 'ECONNRESET'])
    })
  })

test('over WebSocket a watch ends with half a message', async () => {
  server.faults.add({ times: 1, watch: { afterEvents: 1, do: 'halfFrame' } })
  const socket = new WebSocket(`${server.url.replace('https', 'wss')}${maps}?watch=1`, {
    ca: server.caCertificate,
    origin: server.url
  })
  const messages: string[] = []
  socket.on('message', data => messages.push(data.toString()))
  socket.on('error', () => {})
  const code = await new Promise(resolve => socket.on('close', resolve))
  assert.equal(JSON.parse(messages[0]!).type, 'ADDED')
  assert.throws(() => JSON.parse(messages[1]!))
  assert.deepEqual([messages.length, code], [2, 1006])
})

test('a hosted server resets the connection that it shares with its host', async () => {
  const hosted = await server.host('one')
  try {
    const url = '/servers/one/api/v1/namespaces'
    const whole = (await overHttp1(url)).body
    hosted.faults.add({ verb: 'list', times: 1, reset: true })
    const { status, error } = await overHttp1(url)
    assert.deepEqual([status, error], [undefined, 'ECONNRESET'])
    const cut = hosted.faults.add({ verb: 'list', times: 1, cutAfter: 50 })
    assert.deepEqual(await overHttp1(url), { status: 200, body: whole.slice(0, 50), error: 'ECONNRESET' })
    assert.equal(cut.count, 1)
  } finally {
    await hosted.stop()
  }
})
