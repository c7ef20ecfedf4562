import assert from 'node:assert/strict'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { parseRequestInfo } from '../../apimachinery/request/request-info.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { HostedServers } from '../../server/hosted.js'
import { dialer } from '../../transport/proxy/dial.js'
import { queryOf } from '../../transport/proxy/pass-on.js'
import { createHandler } from '../chain/handler.js'
import { inject } from '../chain/inject.js'
import { proxiedPath } from './paths.js'
import { proxyTo } from './proxy.js'

const base = '/api/v1/namespaces/default/pods/web/proxy'
let port: number
let answer: (message: IncomingMessage, response: ServerResponse) => void
let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }
const backend = http.createServer(async (message, response) => {
  let body = ''
  for await (const piece of message) body += piece
  seen = { method: message.method!, url: message.url!, headers: message.headers, body }
  answer(message, response)
})
before(async () => {
  backend.listen(0, '127.0.0.1')
  await new Promise(resolve => backend.once('listening', resolve))
  port = (backend.address() as AddressInfo).port
})
beforeEach(() => {
  answer = (_, response) => response.end('answer')
})
after(() => backend.close())

interface Asked {
  readonly method?: string
  readonly body?: string
  readonly headers?: Record<string, string>
  readonly port?: number
  /** The server is hosted by another one, of which this is the client's path. */
  readonly below?: '/servers/one'
}

const ask = (url: string, options: Asked = {}) => {
  const hosted = new HostedServers()
  const handler = handlerFor(options)
  hosted.add('one', () => handler)
  return inject(hosted.around(handler), {
    method: options.method ?? 'GET',
    url: (options.below ?? '') + base + url,
    headers: options.headers ?? {},
    ...(options.body && { body: options.body })
  })
}

const handlerFor = (options: Asked) =>
  createHandler(
    [
      {
        name: 'proxy',
        why: 'what is tested',
        handle(context) {
          context.info = parseRequestInfo(context.request.method, context.path, context.query)
          const target = { scheme: 'http', host: '127.0.0.1', port: options.port ?? port } as const
          return proxyTo(context, { dial: dialer(() => ({})), target, path: proxiedPath(context), query: queryOf(context) })
        }
      }
    ],
    { now: () => 0, uuid: () => 'id' }
  )

describe('a proxy', () => {
  it('passes on method, path, query and body, and what it adds', async () => {
    await ask('/a/./b//c/')
    assert.equal(seen.url, '/a/b/c/')
    const { status, body } = await ask('/a/b%20c/d?x=%2F', {
      method: 'PUT',
      body: 'sent',
      headers: { host: 'api', 'x-one': '1' }
    })
    assert.deepEqual([status, String(body)], [200, 'answer'])
    assert.deepEqual([seen.method, seen.url, seen.body], ['PUT', '/a/b%20c/d?x=%2F', 'sent'])
    const { host, 'x-one': one, 'x-forwarded-for': by, 'x-forwarded-uri': uri } = seen.headers
    assert.deepEqual([host, one, by, uri], ['api', '1', '127.0.0.1', `${base}/a/b%20c/d`])
  })

  it('keeps the credentials of the client and the headers of one connection to itself', async () => {
    await ask('/', {
      headers: {
        authorization: 'Bearer x',
        'x-remote-user': 'x',
        'impersonate-user': 'x',
        connection: 'x-mine',
        'x-mine': '1',
        te: 'x'
      }
    })
    const { authorization, 'x-remote-user': user, 'impersonate-user': other, 'x-mine': mine, te, connection } = seen.headers
    assert.deepEqual(
      [authorization, user, other, mine, te, connection],
      [undefined, undefined, undefined, undefined, undefined, 'close']
    )
  })

  it('sends those who ask without a path to the root', async () => {
    const { status, headers } = await ask('?a=b')
    assert.deepEqual([status, headers.location], [301, `${base}/?a=b`])
  })

  it('leads redirects back through itself, but not those to other hosts', async () => {
    const located = async (location: string) => {
      answer = (_, response) => response.writeHead(302, { location }).end()
      return (await ask('/from', { headers: { host: 'api' } })).headers.location
    }
    assert.equal(await located('/to/?q#f'), `${base}/to/?q#f`)
    assert.equal(await located(`http://127.0.0.1:${port}/to`), `${base}/to`)
    assert.equal(await located('http://api/to'), `http://api${base}/to`)
    assert.equal(await located('http://elsewhere/to'), 'http://elsewhere/to')
    assert.equal(await located('to'), 'to')
    assert.equal(await located(`${base}/to`), `${base}/to`)
  })

  it('of a hosted server leads back below the path of that', async () => {
    const below = '/servers/one'
    assert.equal((await ask('', { below })).headers.location, `${below}${base}/`)
    answer = (_, response) => response.writeHead(302, { location: '/to' }).end()
    assert.equal((await ask('/from', { below })).headers.location, `${below}${base}/to`)
    assert.deepEqual([seen.url, seen.headers['x-forwarded-uri']], ['/from', `${below}${base}/from`])
    answer = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<a href="/to">')
    assert.equal(String((await ask('/from', { below })).body), `<a href="${below}${base}/to">`)
  })

  it('leads links in HTML back through itself', async () => {
    answer = (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end('<a href="/to">a</a><img src="http://other/x"><a href="ä">')
    const { body, headers } = await ask('/from')
    assert.equal(String(body), `<a href="${base}/to">a</a><img src="http://other/x"><a href="%C3%A4">`)
    assert.equal(headers['content-length'], undefined)
  })

  it('keeps headers that come several times, and drops rules for other origins', async () => {
    answer = (_, response) =>
      response
        .writeHead(201, { 'set-cookie': ['a=1', 'b=2'], 'access-control-allow-origin': '*', 'cache-control': 'max-age=1' })
        .end()
    const { status, headers } = await ask('/')
    assert.deepEqual(
      [status, headers['set-cookie'], headers['access-control-allow-origin'], headers['cache-control']],
      [201, ['a=1', 'b=2'], undefined, ['no-cache, private', 'max-age=1']]
    )
  })

  it('says in Go’s words why it reaches nobody', async () => {
    const silent = net.createServer(socket => socket.once('data', () => socket.destroy()))
    silent.listen(0, '127.0.0.1')
    await new Promise(resolve => silent.once('listening', resolve))
    const { port: free } = silent.address() as AddressInfo
    const said = async () => {
      const error = await ask('/', { port: free }).catch(error => error)
      assert.ok(error instanceof StatusError)
      return [error.code, error.message, error.headers]
    }
    assert.deepEqual(await said(), [503, 'error trying to reach service: EOF', undefined])
    await new Promise(resolve => silent.close(resolve))
    assert.deepEqual(await said(), [
      503,
      `error trying to reach service: dial tcp 127.0.0.1:${free}: connect: connection refused`,
      undefined
    ])
  })

  it('does not show half an answer as a whole one', async () => {
    answer = (message, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => message.socket.destroy())
    }
    await assert.rejects(ask('/'), /before it was complete/)
  })
})
