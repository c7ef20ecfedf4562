/** Watches over WebSocket. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import WebSocket from 'ws'
import type { BinnacleServer } from '../../server/binnacle-server.js'
import { createServer } from '../../server/server.js'
import { silentLogger } from '../../util/logger.js'

const path = '/api/v1/namespaces/default/configmaps'
const user = { name: 'admin', groups: ['system:masters'] }
const origin = 'https://page.example'
const tokenProtocol = (token: string) => `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`

describe('watches over WebSocket', () => {
  let server: BinnacleServer
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'binnacle-ws-'))
    await writeFile(join(directory, 'tokens.csv'), 'secret,admin,1,system:masters\n')
    server = createServer({ tokenAuthFile: join(directory, 'tokens.csv'), log: silentLogger })
    await server.start()
  })
  after(async () => {
    await server.stop()
    await rm(directory, { recursive: true })
  })

  const create = (name: string) => server.inject({ method: 'POST', url: path, body: { metadata: { name } }, user } as never)
  const open = (protocols: string[], headers: Record<string, string> = {}, query = 'watch=true') =>
    new WebSocket(`${server.url.replace('https', 'wss')}${path}?${query}`, protocols, {
      ca: server.caCertificate,
      headers: { origin, ...headers }
    })
  const refusal = (socket: WebSocket) =>
    new Promise<number>((resolve, reject) => {
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode!))
      socket.on('open', () => reject(new Error('the connection was accepted')))
      socket.on('error', () => {})
    })

  test('every event is a message, and a subprotocol may carry the token', async () => {
    const socket = open(['watch.k8s.io', tokenProtocol('secret')], { origin: 'https://elsewhere.example' })
    const names: string[] = []
    const done = new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', (data, binary) => {
        assert.equal(binary, false)
        const { type, object } = JSON.parse(data.toString())
        assert.equal(type, 'ADDED')
        names.push(object.metadata.name)
        if (names.at(-1) === 'last') resolve()
      })
    })
    await new Promise(resolve => socket.once('open', resolve))
    assert.equal(socket.protocol, 'watch.k8s.io')
    await Promise.all(Array.from({ length: 20 }, (_, i) => create(`many-${i}`)))
    await create('last')
    await done
    assert.equal(names.filter(name => name.startsWith('many-')).length, 20)
    socket.close()
  })

  test('the end of a watch closes the connection, and so does a client that sends too much', async () => {
    const timed = open([], { authorization: 'Bearer secret' }, 'watch=true&timeoutSeconds=1')
    assert.equal(await new Promise(resolve => timed.once('close', resolve)), 1000)
    const chatty = open([], { authorization: 'Bearer secret' })
    chatty.on('error', () => {})
    chatty.once('open', () => chatty.send(Buffer.alloc(10_000)))
    assert.equal(await new Promise(resolve => chatty.once('close', resolve)), 1009)
  })

  test('a forbidden watch is refused as over plain HTTP', async () => {
    assert.equal(await refusal(open(['x', tokenProtocol('wrong')])), 401)
    assert.equal(await refusal(open([tokenProtocol('secret')])), 401)
    assert.equal(await refusal(open(['x', tokenProtocol('secret'), tokenProtocol('other')])), 401)
    assert.equal(await refusal(open([])), 403)
    assert.equal(await refusal(open([], { authorization: 'Bearer secret' }, '')), 200)
  })

  test('a client says where its page comes from, one protocol beside the token, and the version', async () => {
    const authorization = 'Bearer secret'
    const handshake = (headers: Record<string, string>, protocols: string[] = []) =>
      refusal(open(protocols, { authorization, ...headers }))
    for (const wrong of ['', 'x', 'page.example', 'https://a b', 'https://%zz'])
      assert.equal(await handshake({ origin: wrong }), 403, wrong)
    assert.equal(await handshake({ origin: 'null' }), 403)
    assert.equal(await handshake({}, ['a', 'b']), 400)
    assert.equal(await refusal(open(['a', 'b', tokenProtocol('secret')])), 400)
    const older = { ca: server.caCertificate, headers: { authorization }, protocolVersion: 8 }
    assert.equal(await refusal(new WebSocket(`${server.url.replace('https', 'wss')}${path}?watch=true`, older)), 400)
    const socket = open(['a'], { authorization, origin: '/page' })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    assert.equal(socket.protocol, 'a')
    socket.terminate()
  })

  test('a handshake without a key is refused, and a protocol may have any one name', async () => {
    const handshake = (fields: Record<string, string>) =>
      new Promise<string>((resolve, reject) => {
        const headers = { ...fields, authorization: 'Bearer secret', origin, upgrade: 'websocket', connection: 'Upgrade' }
        const options = { ca: server.caCertificate, headers: { 'sec-websocket-version': '13', ...headers } }
        const request = https.get(`${server.url}${path}?watch=true`, options)
        request.on('upgrade', (response, socket) => {
          socket.destroy()
          resolve(String(response.headers['sec-websocket-protocol']))
        })
        request.on('response', async response => {
          let text = ''
          for await (const chunk of response) text += chunk
          resolve(`${response.statusCode} ${text}`)
        })
        request.on('error', reject)
      })
    assert.equal(await handshake({}), '400 mismatch challenge/response')
    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
    assert.equal(await handshake({ ...key, 'sec-websocket-protocol': 'a b/c' }), 'a b/c')
    assert.equal(await handshake({ ...key, 'sec-websocket-protocol': ',' }), '400 ')
  })

  test('a page of another site cannot use credentials that the browser sends automatically', async () => {
    assert.equal(await refusal(open([], { origin: 'https://elsewhere.example' })), 403)
    assert.equal(await refusal(open([], { origin: 'null' })), 403)
  })
})
