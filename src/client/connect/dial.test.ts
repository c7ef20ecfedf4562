import assert from 'node:assert/strict'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { json, scriptedServer } from '../testing/scripted-server.js'
import { connect } from './connect.js'

// tests wait for answers, which hold no process
const alive = setInterval(() => {}, 1000)
test.after(() => clearInterval(alive))

const version = { gitVersion: 'v1.37.2' }
const listen = async (t: test.TestContext, server: net.Server): Promise<number> => {
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  return (server.address() as AddressInfo).port
}
/** Joins two connections, which end with each other. */
const joined = (a: net.Socket, b: net.Socket) => {
  a.on('error', () => {})
    .pipe(b)
    .on('error', () => {})
    .pipe(a)
}

describe('a proxy', () => {
  test('is asked by CONNECT, with the user of its URL', async t => {
    const server = await scriptedServer(t, (_, response) => json(response, version))
    const asked: unknown[] = []
    const proxy = http.createServer().on('connect', (request, client, head) => {
      asked.push([request.url, request.headers['proxy-authorization']])
      assert.equal(head.length, 0)
      const target = net.connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n')
        joined(client as net.Socket, target)
      })
    })
    const port = await listen(t, proxy)
    await using client = await connect({ url: server.url, ca: server.ca, proxy: `http://me:secret@127.0.0.1:${port}` })
    assert.deepEqual((await client.request({ url: '/version' })).json(), version)
    assert.deepEqual(asked, [[new URL(server.url).host, `Basic ${Buffer.from('me:secret').toString('base64')}`]])
  })

  test('that refuses is named, without its password', async t => {
    const proxy = http.createServer().on('connect', (_, client) => void client.end('HTTP/1.1 407 Who are you\r\n\r\n'))
    const port = await listen(t, proxy)
    await using client = await connect({ url: 'https://api.example', proxy: `http://me:secret@127.0.0.1:${port}` })
    await assert.rejects(client.request({ url: '/version' }), (error: Error) => {
      assert.equal(error.message, `https://api.example: the proxy 127.0.0.1:${port} answered 407 Who are you`)
      return true
    })
  })

  test('speaks SOCKS 5, and looks names up', async t => {
    const server = await scriptedServer(t, (_, response) => json(response, version))
    const heard: Buffer[] = []
    const proxy = net.createServer(client => {
      const replies = [Buffer.from([5, 2]), Buffer.from([1, 0]), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])]
      const next = (piece: Buffer) => {
        heard.push(piece)
        const reply = replies.shift()!
        if (replies.length > 0) return void client.write(reply)
        client.off('data', next)
        const target = net.connect(Number(new URL(server.url).port), '127.0.0.1', () => {
          client.write(reply)
          joined(client, target)
        })
      }
      client.on('data', next).on('error', () => {})
    })
    const port = await listen(t, proxy)
    await using client = await connect({
      url: 'https://api.example:6443',
      ca: server.ca,
      proxy: `socks5://me:pw@127.0.0.1:${port}`
    })
    assert.deepEqual((await client.request({ url: '/version' })).json(), version)
    assert.deepEqual(
      heard.map(piece => piece.toString('latin1')),
      ['\x05\x01\x02', '\x01\x02me\x02pw', '\x05\x01\x00\x03\x0bapi.example\x19\x2b']
    )
  })
})
