import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startWireServer, type WireServer, wireAnswer } from '../../testkit/wire-server.js'
import type { Dial, DialTarget } from './dial-target.js'
import { type ExchangeError, exchange, type Outgoing, UnaskedSwitchError } from './exchange.js'
import { DialingAgent } from './upstream.js'

const dial: Dial = async ({ port }) => {
  const socket = net.connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

describe('an exchange with another server', () => {
  let wire: WireServer
  const agent = new DialingAgent(dial)
  before(async () => {
    wire = await startWireServer()
  })
  beforeEach(() => {
    wire.requests.length = 0
    wire.malformed.length = 0
  })
  after(async () => {
    agent.destroy()
    await wire.close()
  })

  const target = (): DialTarget => ({ scheme: 'http', host: '127.0.0.1', port: wire.port })
  const send = (outgoing: Partial<Outgoing>, kept = true) =>
    exchange(
      { dial, target: target(), path: '/a', query: '', ...(kept && { agent }) },
      { method: 'GET', ...outgoing, headers: ['Host', 'x', ...(outgoing.headers ?? [])] },
      new AbortController().signal
    )
  const body = (content: string, length: number | undefined = content.length) => ({
    stream: Readable.from([Buffer.from(content)]),
    length
  })
  const answering = (answer: WireServer['answer']) => {
    const before = wire.answer
    wire.answer = answer
    return () => {
      wire.answer = before
    }
  }

  for (const method of ['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH', 'OPTIONS'])
    it(`frames the body of ${method} once`, async () => {
      for (const given of [undefined, body(''), body('abc'), { ...body('abc'), length: undefined }])
        await text((await send({ method, body: given })).head)
      assert.deepEqual(wire.malformed, [])
      assert.deepEqual(
        wire.requests.map(({ method, body }) => [method, body.toString()]),
        ['', '', 'abc', 'abc'].map(content => [method, content])
      )
    })

  it('leaves framing and the connection to nobody else', async () => {
    for (const name of ['Content-Length', 'transfer-encoding', 'Connection', 'Upgrade'])
      await assert.rejects(send({ headers: [name, '1'] }), TypeError)
    await assert.rejects(send({ upgrade: 'websocket', body: body('a') }), TypeError)
    assert.equal(wire.requests.length, 0)
  })

  it('ends the connection when a body has another length than it says', async () => {
    const rest = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
    await assert.rejects(send({ method: 'POST', body: body(`abc${rest}`, 3) }))
    await assert.rejects(send({ method: 'POST', body: body('ab', 3) }))
    await text((await send({})).head)
    assert.ok(wire.requests.every(({ target }) => target === '/a'))
  })

  it('sends no byte beyond the length that was announced, however long the body goes on', async () => {
    const stream = new Readable({ read() {} })
    const answer = new Promise<void>(resolve => {
      const restore = answering((_, socket) => {
        restore()
        resolve()
        socket.resume()
      })
    })
    const sent = assert.rejects(send({ method: 'POST', body: { stream, length: 3 } }))
    stream.push('abc')
    await answer
    stream.push('GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n')
    await sent
    await text((await send({})).head)
    assert.deepEqual(
      wire.requests.map(({ target, method }) => [target, method]),
      [
        ['/a', 'POST'],
        ['/a', 'GET']
      ]
    )
  })

  for (const [asked, lines, message] of [
    [
      undefined,
      ['Connection: Upgrade', 'Upgrade: websocket'],
      'backend tried to switch protocol "websocket" when "" was requested'
    ],
    [undefined, ['Upgrade: websocket'], 'internal error: 101 switching protocols response with non-writable body'],
    [undefined, [], 'internal error: 101 switching protocols response with non-writable body'],
    [
      'websocket',
      ['Connection: Upgrade', 'Upgrade: h2c'],
      'backend tried to switch protocol "h2c" when "websocket" was requested'
    ],
    ['websocket', [], 'backend tried to switch protocol "" when "websocket" was requested'],
    ['a', ['Connection: Upgrade', 'Upgrade: \xe4'], 'backend tried to switch to invalid protocol "ä"']
  ] as const)
    it(`refuses a switch to ${JSON.stringify(lines)} when ${asked} was asked for, and closes the connection`, async t => {
      let closed: Promise<unknown> | undefined
      t.after(
        answering((_, socket) => {
          closed = once(socket, 'close')
          socket.write(Buffer.from(['HTTP/1.1 101 Switching Protocols', ...lines, '', 'bytes'].join('\r\n'), 'latin1'))
        })
      )
      const error = await send(asked === undefined ? {} : { upgrade: asked }, asked === undefined).catch((error: Error) => error)
      assert.ok(error instanceof UnaskedSwitchError)
      assert.equal(error.message, message)
      await closed
    })

  it('takes a switch to what was asked for, in any case, or to one of several', async t => {
    t.after(
      answering(
        (_, socket) =>
          void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: WebSocket\r\n\r\nhi')
      )
    )
    for (const upgrade of ['websocket', 'h2c, websocket']) {
      const { connection } = await send({ upgrade }, false)
      assert.equal(String((await once(connection!, 'data'))[0]), 'hi')
      connection!.destroy()
    }
    assert.deepEqual(wire.malformed, [])
  })

  it('ends when informational answers do not', async t => {
    t.after(
      answering((_, socket) => {
        const more = () => {
          while (!socket.destroyed && socket.write('HTTP/1.1 102 Processing\r\nX-A: b\r\n\r\n'.repeat(500)));
          if (!socket.destroyed) socket.once('drain', more)
        }
        more()
      })
    )
    await assert.rejects(send({}), (error: ExchangeError) => error.message === 'net/http: too many 1xx informational responses')
  })

  it('shows an answer whole when the connection breaks after it', async t => {
    t.after(answering((_, socket) => void socket.write(`${wireAnswer('200 OK', [], '{}')}not HTTP`)))
    const { head } = await send({})
    // what follows has come before somebody reads
    await new Promise(setImmediate)
    assert.equal(await text(head), '{}')
    const head2 = (await send({ method: 'HEAD' })).head
    assert.equal(await text(head2), '')
  })
})
