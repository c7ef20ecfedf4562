import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Http2ServerResponse } from 'node:http2'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eventually } from '../../testkit/eventually.js'
import { systemClock } from '../../util/clock.js'
import { RereadFile } from '../../util/reread-file.js'
import { json, scriptedServer, startRelay, withDiscovery } from '../testing/scripted-server.js'
import { connect } from './connect.js'
import { fixedCredentials } from './credentials.js'
import { ConnectionError } from './errors.js'
import { tokenFileCredentials } from './file-credentials.js'
import { HttpTransport, type HttpTransportOptions } from './http-transport.js'

// tests wait for answers, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

const access = (url: string, ca: string): HttpTransportOptions['access'] => ({
  server: new URL(url),
  ca,
  serverName: undefined,
  insecure: false,
  proxy: undefined,
  compress: true,
  namespace: 'default',
  credentials: fixedCredentials(),
  headers: {}
})
const plain = { rateLimit: undefined, timeoutMs: 60_000 }
const configMap = (name: string) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name } }) as const

describe('the transport of a network', () => {
  test('sends many requests on one connection of HTTP/2, and on as many as it needs of HTTP/1.1', async t => {
    const warnings: string[] = []
    const onWarning = ({ name }: Error) => warnings.push(name)
    process.on('warning', onWarning)
    t.after(() => process.off('warning', onWarning))
    const names = Array.from({ length: 20 }, (_, index) => `map-${index}`)
    for (const http2 of [true, false]) {
      const server = await scriptedServer(
        t,
        withDiscovery((request, response) => json(response, configMap(request.url))),
        { http2 }
      )
      await using client = await connect({ url: server.url, ca: server.ca, token: 'abc' })
      const maps = client.of('v1', 'ConfigMap')
      const found = await Promise.all(names.map(name => maps.get(name)))
      assert.deepEqual(
        found.map(({ metadata }) => metadata.name),
        names.map(name => `/api/v1/namespaces/default/configmaps/${name}`)
      )
      assert.equal(server.sessions.size, http2 ? 1 : 0)
      const [, last] = server.requests
      assert.deepEqual([last?.authorization, last?.version], ['Bearer abc', http2 ? '2.0' : '1.1'])
    }
    assert.ok(!warnings.includes('MaxListenersExceededWarning'), 'Node.js takes the listeners of calls for a leak')
  })

  test('waits as Retry-After says, for writes too, and gives up after ten times', async t => {
    let refusals = 3
    const server = await scriptedServer(
      t,
      withDiscovery((_, response) =>
        refusals-- > 0
          ? json(response, { kind: 'Status', code: 429 }, 429, { 'retry-after': '0' })
          : json(response, configMap('a'))
      )
    )
    await using client = await connect({ url: server.url, ca: server.ca })
    await client.of('v1', 'ConfigMap').create(configMap('a'))
    assert.equal(server.requests.filter(({ method }) => method === 'POST').length, 4)
    refusals = 100
    await assert.rejects(client.of('v1', 'ConfigMap').create(configMap('a')), (error: any) => error.code === 429)
    assert.equal(server.requests.filter(({ method }) => method === 'POST').length, 4 + 11)
  })

  test('sends a write once, and a read again, when the connection breaks', async t => {
    let failures = 0
    const server = await scriptedServer(
      t,
      withDiscovery((request, response) => {
        if (failures-- > 0) return request.stream.session!.destroy()
        json(response, configMap('a'))
      })
    )
    await using client = await connect({ url: server.url, ca: server.ca })
    const maps = client.of('v1', 'ConfigMap')
    await maps.get('a')
    failures = 2
    assert.equal((await maps.get('a')).metadata.name, 'a')
    failures = 1
    await assert.rejects(maps.create(configMap('a')), ConnectionError)
    assert.equal(server.requests.filter(({ method }) => method === 'POST').length, 1)
  })

  test('lets requests end on a connection whose server says goodbye, and begins others on a new one', async t => {
    const open: Http2ServerResponse[] = []
    let count = 0
    const server = await scriptedServer(
      t,
      withDiscovery((request, response) => {
        if (request.url.endsWith('/slow')) return void open.push(response)
        count++
        json(response, configMap('a'))
      })
    )
    await using client = await connect({ url: server.url, ca: server.ca })
    const maps = client.of('v1', 'ConfigMap')
    const slow = maps.get('slow')
    await eventually('the request has arrived', () => open.length === 1)
    const [first] = server.sessions
    first!.goaway(0)
    await eventually('new requests come on another connection', async () => {
      await maps.get('a')
      return server.sessions.size === 2
    })
    json(open[0]!, configMap('slow'))
    assert.equal((await slow).metadata.name, 'slow')
    assert.ok(count > 0)
  })

  test('gives up a connection that gives no sign of life', async t => {
    const server = await scriptedServer(
      t,
      withDiscovery((_, response) => void response.writeHead(200).write('\n'))
    )
    const relay = await startRelay(t, Number(new URL(server.url).port))
    const transport = new HttpTransport({
      ...plain,
      access: access(`https://127.0.0.1:${relay.port}`, server.ca),
      pings: { everyMs: 20, withinMs: 50 }
    })
    t.after(() => transport.close())
    const answer = await transport.open({ url: '/api/v1/configmaps?watch=true' })
    assert.equal(String(await answer.next()), '\n')
    relay.freeze()
    await assert.rejects(answer.next(), ConnectionError)
  })

  test('reads its token again after a 401', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'binnacle-token-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = join(folder, 'token')
    await writeFile(path, 'old\n')
    const server = await scriptedServer(t, (request, response) =>
      request.headers.authorization === 'Bearer new' ? json(response, {}) : json(response, { kind: 'Status', code: 401 }, 401)
    )
    const file = new RereadFile('token', path, systemClock)
    const credentials = tokenFileCredentials(file, async () => undefined)
    const transport = new HttpTransport({ ...plain, access: { ...access(server.url, server.ca), credentials } })
    t.after(() => transport.close())
    assert.equal((await transport.send({ url: '/' })).status, 401)
    await writeFile(path, 'new\n')
    assert.equal((await transport.send({ url: '/' })).status, 200)
  })

  test('opens another connection when the server takes no more streams on the first', async t => {
    const open: Http2ServerResponse[] = []
    const server = await scriptedServer(t, (request, response) => {
      if (request.url === '/watch') response.write('\n')
      if (request.url === '/watch') open.push(response)
      else json(response, {})
    })
    const transport = new HttpTransport({ ...plain, access: access(server.url, server.ca) })
    t.after(() => transport.close())
    await transport.send({ url: '/' })
    const answers = await Promise.all(Array.from({ length: 130 }, () => transport.open({ url: '/watch' })))
    assert.equal(answers.length, 130)
    assert.equal((await transport.send({ url: '/' })).status, 200)
    for (const answer of answers) answer.close()
  })

  test('inflates answers, and ends one that is too late', async t => {
    const server = await scriptedServer(t, (request, response) => {
      if (request.url === '/late') return
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync('{"a":1}'))
    })
    const patient = new HttpTransport({ ...plain, access: access(server.url, server.ca) })
    t.after(() => patient.close())
    assert.deepEqual((await patient.send({ url: '/' })).json(), { a: 1 })
    const transport = new HttpTransport({ ...plain, timeoutMs: 50, access: access(server.url, server.ca) })
    t.after(() => transport.close())
    await assert.rejects(transport.send({ url: '/late' }), /the server did not answer in time/)
    await assert.rejects(transport.open({ url: '/late' }), /the server did not answer in time/)
  })

  test('counts the time of each attempt, and not that between them', async t => {
    let refusals = 1
    const server = await scriptedServer(t, (_, response) =>
      refusals-- > 0 ? json(response, {}, 503, { 'retry-after': '2' }) : json(response, { a: 1 })
    )
    const transport = new HttpTransport({ ...plain, timeoutMs: 1500, access: access(server.url, server.ca) })
    t.after(() => transport.close())
    assert.deepEqual((await transport.send({ url: '/' })).json(), { a: 1 })
  })

  test('lets requests end with the certificate that they began with', async t => {
    for (const http2 of [true, false]) {
      const open: Http2ServerResponse[] = []
      const server = await scriptedServer(
        t,
        (request, response) => (request.url === '/slow' ? void open.push(response) : json(response, {})),
        { http2 }
      )
      let certificate = server.pair
      const credentials = { ...fixedCredentials(), certificate: async () => certificate }
      const transport = new HttpTransport({ ...plain, access: { ...access(server.url, server.ca), credentials } })
      t.after(() => transport.close())
      await transport.send({ url: '/' })
      const slow = transport.send({ url: '/slow' })
      await eventually('the request has arrived', () => open.length === 1)
      certificate = { ...server.pair }
      assert.equal((await transport.send({ url: '/' })).status, 200)
      json(open[0]!, { slow: true })
      assert.deepEqual((await slow).json(), { slow: true })
    }
  })

  test('takes only the certificate of the server that it was told of', async t => {
    const server = await scriptedServer(t, (_, response) => json(response, {}))
    const other = (await scriptedServer(t, (_, response) => json(response, {}))).ca
    assert.ok(other)
    for (const wrong of [{ ca: undefined }, { serverName: 'other.example' }]) {
      const transport = new HttpTransport({ ...plain, access: { ...access(server.url, server.ca), ...wrong } })
      t.after(() => transport.close())
      await assert.rejects(transport.send({ url: '/' }), ConnectionError)
    }
    const named = new HttpTransport({ ...plain, access: { ...access(server.url, server.ca), serverName: 'api.example' } })
    t.after(() => named.close())
    assert.equal((await named.send({ url: '/' })).status, 200)
  })

  test('says which server could not be reached', async () => {
    await using client = await connect({ url: 'https://127.0.0.1:1' })
    await assert.rejects(client.of('v1', 'Pod').list(), /^ConnectionError: https:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/)
  })
})
