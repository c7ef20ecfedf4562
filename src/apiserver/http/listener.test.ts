/** The limits of a connection before, between and during its requests. They are short here, to keep the tests short. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { after, before, describe, it } from 'node:test'
import tls from 'node:tls'
import type { IncomingRequest, Response } from '../../apimachinery/request/message.js'
import { eventually } from '../../testkit/eventually.js'
import { loadOrCreatePki } from '../../transport/certificates/pki.js'
import type { ConnectionLimits } from './connection-limits.js'
import { type Listener, listen } from './listener.js'

const never = 3_600_000
const patient = { headersTimeout: never, requestTimeout: never, idleTimeout: never, checkInterval: 20 }
const listeners: Listener[] = []
let serving: { certificate: string; key: string }

before(async () => {
  const names = { bindAddress: '127.0.0.1', serviceClusterIPRange: '10.0.0.0/24' }
  const { servingNames } = await import('../../transport/certificates/serving-names.js')
  const pki = await loadOrCreatePki({ servingNames: servingNames(names as never), now: Date.now() } as never)
  serving = pki.serving
})
after(() => Promise.all(listeners.map(listener => listener.close(0))))

const ok = (body = 'ok'): Response => ({ status: 200, headers: {}, body: Buffer.from(body) })
type Answerer = (request: IncomingRequest) => Response | Promise<Response>

async function serve(limits: Partial<ConnectionLimits>, answer: Answerer = () => ok()): Promise<number> {
  const handler = async (request: IncomingRequest) => ({ takeWithin: 60_000, ended() {}, ...(await answer(request)) })
  const listener = await listen(handler, {
    address: '127.0.0.1',
    port: 0,
    clientCAs: [],
    limits: { ...patient, ...limits },
    ...serving
  })
  listeners.push(listener)
  return listener.port
}

async function connect(port: number, protocol = 'http/1.1'): Promise<tls.TLSSocket> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: [protocol] })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

/** Reads everything that the server sends until it closes the connection. */
async function untilClosed(socket: tls.TLSSocket): Promise<string> {
  let text = ''
  socket.on('data', data => {
    text += data
  })
  // A connection that is reset ends as well: `once` would reject then.
  if (!socket.closed) await new Promise(resolve => socket.once('close', resolve))
  return text
}

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

describe('a connection without TLS', () => {
  it('is answered as by Go, and closed', async () => {
    const socket = net.connect(await serve({}), '127.0.0.1')
    socket.write(request)
    const answer = (await socket.toArray()).join('')
    assert.equal(answer, 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n')
  })
})

describe('a TLS session', () => {
  it('is not resumed: the client shows its certificate with each connection', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const port = await serve({})
      const options = { port, host: '127.0.0.1', rejectUnauthorized: false, minVersion: version, maxVersion: version }
      let session: Buffer | undefined
      const first = tls.connect(options)
      first.on('session', given => (session = given))
      first.write(request)
      await once(first, 'data')
      session ??= first.getSession()
      first.destroy()
      const second = tls.connect({ ...options, session })
      await once(second, 'secureConnect')
      assert.equal(second.isSessionReused(), false, version)
      second.destroy()
    }
  })
})

describe('a connection over HTTP/1.1', () => {
  it('is closed when nothing comes', async () => {
    const socket = await connect(await serve({ headersTimeout: 50 }))
    assert.match(await untilClosed(socket), /^(HTTP\/1.1 408 |$)/)
  })

  it('is closed when headers do not end', async () => {
    const socket = await connect(await serve({ headersTimeout: 50 }))
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    assert.match(await untilClosed(socket), /^HTTP\/1.1 408 /)
  })

  it('is closed when a body does not end', async () => {
    const socket = await connect(
      await serve({ requestTimeout: 50, headersTimeout: 50 }, request => request.readBody(100).then(() => ok()))
    )
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12')
    assert.match(await untilClosed(socket), /^(HTTP\/1.1 (408|400) |$)/)
  })

  it('is closed when it is idle between requests', async () => {
    const socket = await connect(await serve({ idleTimeout: 50 }))
    socket.write(request)
    assert.match(await untilClosed(socket), /^HTTP\/1.1 200 /)
  })

  it('is closed when its client continues an unwanted body', async () => {
    const socket = await connect(await serve({ unreadBytes: 1000 }))
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n')
    const timer = setInterval(() => socket.writable && socket.write('x'.repeat(500)), 1)
    assert.match(await untilClosed(socket), /^HTTP\/1.1 200 /)
    clearInterval(timer)
  })

  it('is closed when its client does not read an answer', async () => {
    const ends: (boolean | undefined)[] = []
    const ended = (aborted?: boolean) => void ends.push(aborted)
    const answer = () => ({ ...ok('x'.repeat(50_000_000)), takeWithin: 50, ended })
    const socket = await connect(await serve({}, answer))
    socket.pause()
    socket.write(request)
    await eventually(
      'the answer has ended',
      () => ends,
      ({ length }) => length > 0
    )
    assert.equal(ends[0], true)
    socket.resume()
    if (!socket.closed) await once(socket, 'close')
  })

  describe('whose request comes before an earlier answer has left', () => {
    const large = 20_000_000
    let asked = 0
    /** Sends the second request while the first answer, which is large, waits for its client. */
    async function connectionWith(second: string): Promise<tls.TLSSocket> {
      asked = 0
      const answer = async (request: IncomingRequest) => {
        asked++
        const { length } = await request.readBody(large)
        return ok(asked === 1 ? 'x'.repeat(large) : `${request.url} ${length}`)
      }
      const socket = await connect(await serve({}, answer))
      socket.pause()
      socket.write(request)
      await eventually(
        'the first request is asked',
        () => asked,
        count => count > 0
      )
      socket.write(second)
      return socket.resume()
    }
    const close = 'Host: x\r\nConnection: close\r\n'

    it('gets the body of that request', async () => {
      const body = 'y'.repeat(300_000)
      const socket = await connectionWith(`POST /b HTTP/1.1\r\n${close}Content-Length: ${body.length}\r\n\r\n${body}`)
      const answers = await untilClosed(socket)
      assert.ok(answers.length > large)
      assert.ok(answers.endsWith(`\r\n\r\n/b ${body.length}`))
    })

    it('goes on with further requests', async () => {
      const socket = await connectionWith('GET /b HTTP/1.1\r\nHost: x\r\n\r\n')
      const answers = untilClosed(socket)
      socket.on('data', (data: Buffer) => data.includes('/b 0') && socket.write(`GET /c HTTP/1.1\r\n${close}\r\n`))
      assert.ok((await answers).endsWith('\r\n\r\n/c 0'))
    })
  })

  it('passes on all headers, or refuses the request', async () => {
    const seen: number[] = []
    const port = await serve({ headerBytes: 100_000 }, request => {
      seen.push(request.rawHeaders().length / 2)
      return ok(String(request.headers.last))
    })
    const agent = new https.Agent({ rejectUnauthorized: false })
    const ask = (count: number) =>
      new Promise<[number, string]>((resolve, reject) => {
        const raw = ['Host', 'x', ...Array.from({ length: count }, (_, i) => [`x-${i}`, 'v']).flat(), 'Last', 'yes']
        const message = https.request({ port, host: '127.0.0.1', agent, headers: raw as never })
        message.on('error', reject).on('response', answer => {
          let text = ''
          answer.on('data', data => {
            text += data
          })
          answer.on('end', () => resolve([answer.statusCode!, text]))
        })
        message.end()
      })
    for (const count of [10, 999, 1500, 5000]) assert.deepEqual(await ask(count), [200, 'yes'], String(count))
    assert.ok(seen.at(-1)! >= 5002)
    agent.destroy()
    const socket = await connect(port)
    socket.write(`GET / HTTP/1.1\r\n${'X-Name: some-value\r\n'.repeat(20_000)}`)
    assert.match(await untilClosed(socket), /^(HTTP\/1.1 431 |$)/)
    const unreadable = await connect(port)
    unreadable.write('GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n')
    assert.match(await untilClosed(unreadable), /^HTTP\/1.1 400 Bad Request\r\n[\s\S]*\r\n\r\n400 Bad Request$/)
  })
})

describe('a listener that closes', () => {
  const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'
  /** Answers a request when it is told to. */
  async function waiting() {
    const answers: (() => void)[] = []
    let arrived = () => {}
    const port = await serve({}, () => {
      arrived()
      return new Promise<Response>(resolve => answers.push(() => resolve(ok())))
    })
    const socket = await connect(port)
    const send = async () => {
      const request = new Promise<void>(resolve => (arrived = resolve))
      socket.write(get)
      await request
    }
    return { socket, answers, send, listener: listeners.at(-1)! }
  }

  it('closes a connection as soon as its request has ended, and tells the client', async () => {
    const { socket, answers, send, listener } = await waiting()
    await send()
    const closed = listener.close(never)
    const text = untilClosed(socket)
    // a further request is not begun
    socket.write(get)
    answers[0]!()
    await closed
    assert.match(await text, /^HTTP\/1.1 200 OK[\s\S]*\r\nconnection: close\r\n\r\nok$/)
    assert.equal(answers.length, 1)
  })

  it('closes what has not ended after the time of grace', async () => {
    const { socket, send, listener } = await waiting()
    await send()
    const text = untilClosed(socket)
    await listener.close(20)
    assert.equal(await text, '')
  })
})

describe('a connection over HTTP/2', () => {
  const open = (port: number) => {
    const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    session.on('error', () => {})
    return session
  }

  it('is closed when nothing comes', async () => {
    await untilClosed(await connect(await serve({ idleTimeout: 50 }), 'h2'))
  })

  it('is closed when it only pings', async () => {
    const session = open(await serve({ idleTimeout: 100 }))
    const timer = setInterval(() => session.closed || session.ping(() => {}), 5)
    await once(session, 'close')
    clearInterval(timer)
  })

  it('stays open as long as it has a request', async () => {
    let end = () => {}
    const port = await serve({ idleTimeout: 20 }, () => new Promise(resolve => (end = () => resolve(ok()))))
    const session = open(port)
    const stream = session.request({ ':path': '/' }).resume()
    // one that was opened later, and has nothing to do, is closed meanwhile
    await once(open(port), 'close')
    assert.equal(session.closed, false)
    end()
    await Promise.all([once(stream, 'end'), once(session, 'close')])
  })

  it('ends a request with an unwanted body', async () => {
    const session = open(await serve({}))
    const stream = session.request({ ':path': '/', ':method': 'POST' }).resume()
    await once(stream, 'close')
    session.close()
  })

  it('passes on all headers of a request, or refuses it', async () => {
    const session = open(await serve({ headerPairs: 1000 }, request => ok(String(request.rawHeaders().length / 2))))
    const ask = (count: number) => {
      const headers = Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'v']))
      const stream = session.request({ ':path': '/', ...headers })
      return new Promise<string>(resolve => {
        let text = ''
        stream.on('data', data => {
          text += data
        })
        stream.on('error', () => {}).on('close', () => resolve(text))
      })
    }
    assert.match(await ask(900), /^90\d$/)
    assert.equal(await ask(1100), '')
    session.close()
  })
})

describe('connections whose client has not authenticated', () => {
  it('are closed for new ones, the oldest first', async () => {
    const port = await serve({ unknown: 3 })
    const first = await connect(port)
    const closed = untilClosed(first)
    const others = []
    for (let i = 0; i < 3; i++) others.push(await connect(port))
    await closed
    assert.ok(others.every(socket => !socket.closed))
    for (const socket of others) socket.destroy()
  })

  it('are closed when they send too much together', async () => {
    const port = await serve({ unknownBytes: 100_000 })
    const small = await connect(port)
    const large = await connect(port)
    large.write(`GET / HTTP/1.1\r\nX-Long: ${'x'.repeat(200_000)}`)
    await untilClosed(large)
    assert.equal(small.closed, false)
    small.destroy()
  })

  it('are no longer counted after they have authenticated', async () => {
    for (const protocol of ['http/1.1', 'h2']) {
      const port = await serve({ unknown: 2 }, request => {
        request.onAuthenticated?.()
        return ok()
      })
      const known = await connect(port, protocol)
      if (protocol === 'h2') {
        const session = http2.connect('https://x', { createConnection: () => known })
        await once(session.request({ ':path': '/' }).resume(), 'end')
      } else {
        known.write(request)
        await once(known, 'data')
      }
      const others = []
      for (let i = 0; i < 4; i++) others.push(await connect(port))
      assert.equal(known.closed, false, protocol)
      for (const socket of [known, ...others]) socket.destroy()
    }
  })
})
