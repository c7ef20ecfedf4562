/** What single connections can do below the level of requests: headers, frames, windows. The clients have credentials. */
import { literals, preface, RawHttp2, settingsPayload } from '../../../../build/testkit/raw-http2.js'
import { sleep } from './target.mjs'

const maps = '/api/v1/namespaces/default/configmaps'
const headers = 1
const continuation = 9
const endHeaders = 4
const endStream = 1

export async function prepare(target) {
  const data = { text: 'x'.repeat(100_000) }
  for (let i = 0; i < 100; i++) await target.send('POST', maps, { metadata: { name: `m${i}` }, data })
}

/** Sends bytes over HTTP/1.1 as fast as they are taken; resolves with what came back by then, or at the end. */
async function sending(target, bytes, { reads = true, wait = 1000 } = {}) {
  const socket = await target.connect()
  const parts = []
  let length = 0
  if (reads)
    socket.on('data', part => {
      length += part.length
      if (parts.length < 3) parts.push(part)
    })
  else socket.pause()
  const closed = new Promise(resolve => socket.once('close', resolve))
  const begun = performance.now()
  await Promise.race([new Promise(resolve => socket.write(bytes, resolve)), closed, sleep(20_000)])
  await Promise.race([closed, sleep(wait)])
  const took = performance.now() - begun
  const isOpen = !socket.destroyed
  socket.destroy()
  return `${Buffer.concat(parts).toString('latin1').slice(0, 60).split('\r\n')[0]} (${length} bytes), ${isOpen ? 'open' : 'closed'} after ${took.toFixed()} ms`
}

async function raw(target, settings = [], doesRead = true) {
  const socket = await target.connect({ ALPNProtocols: ['h2'] })
  const client = new RawHttp2(socket, doesRead)
  socket.write(preface)
  client.send(4, 0, 0, settingsPayload(settings))
  return client
}
const fate = ({ socket, frames }) => {
  const left = frames.find(({ type }) => type === 7)
  const reset = frames.find(({ type }) => type === 3)
  const why = left ? `GOAWAY ${left.payload.readUInt32BE(4)}` : reset ? `RST_STREAM ${reset.payload.readUInt32BE(0)}` : 'answered'
  return `${why}, ${socket.destroyed ? 'closed' : 'open'}, ${frames.length} frames`
}
const start = literals([
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'x'],
  [':path', '/version']
])
/** The header fields of a request that creates a ConfigMap. */
const createFields = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', 'x'],
  [':path', maps],
  ['content-type', 'application/json']
]
/** A request whose header block has a megabyte of `field`. */
const block =
  (field, requests = 1) =>
  async target => {
    const client = await raw(target)
    const whole = Buffer.concat([start, Buffer.alloc(1024 * 1024 - 200, field)])
    for (let id = 1; id <= 2 * requests; id += 2) {
      for (let at = 0; at < whole.length; at += 16384) {
        const end = at + 16384 >= whole.length ? endHeaders : 0
        client.send(at === 0 ? headers : continuation, end | (at === 0 ? endStream : 0), id, whole.subarray(at, at + 16384))
      }
    }
    await sleep(1500)
    const answer = fate(client)
    client.socket.destroy()
    return answer
  }
/** A frame again and again. */
const frames = (count, send, settings, doesRead) => async target => {
  const client = await raw(target, settings, doesRead)
  for (let i = 0; i < count && !client.socket.destroyed; i++) {
    send(client, i)
    if (i % 1000 === 0) await new Promise(setImmediate)
  }
  await sleep(500)
  const answer = fate(client)
  client.socket.destroy()
  return answer
}
const increment = bytes => {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(bytes)
  return payload
}
const http1 = (path, more = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`
const webSocket = (path, more = '') =>
  http1(
    path,
    `connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n${more}`
  )
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join('')

export const probes = {
  'HTTP/1.1: a header of 2 MB': target => sending(target, http1('/version', `a: ${'x'.repeat(2_000_000)}\r\n`)),
  'HTTP/1.1: 170,000 headers of one name': target => sending(target, http1('/version', 'a: \r\n'.repeat(170_000))),
  'HTTP/1.1: 90,000 headers of as many names': target =>
    sending(
      target,
      http1(
        '/version',
        many(90_000, i => `a${i}: \r\n`)
      )
    ),
  'HTTP/1.1: 50,000 requests at once': target => sending(target, http1('/version').repeat(50_000), { wait: 5000 }),
  'HTTP/1.1: 20,000 lists at once, read': target => sending(target, http1(maps).repeat(20_000), { wait: 5000 }),
  'HTTP/1.1: 20,000 lists at once, not read': target => sending(target, http1(maps).repeat(20_000), { reads: false, wait: 3000 }),
  'HTTP/1.1: 20,000 lists without credentials, not read': async target => {
    const { admin } = target
    target.admin = { rejectUnauthorized: false }
    try {
      return await sending(target, http1(maps).repeat(20_000), { reads: false, wait: 3000 })
    } finally {
      target.admin = admin
    }
  },
  'HTTP/1.1: 12,000 requests without credentials on each of 6 connections': async target => {
    const { admin } = target
    target.admin = { rejectUnauthorized: false }
    try {
      const all = await Promise.all(Array.from({ length: 6 }, () => sending(target, http1('/api').repeat(12_000))))
      return all[0]
    } finally {
      target.admin = admin
    }
  },
  'HTTP/1.1: a body of 2,500,000 chunks': target =>
    sending(
      target,
      `POST ${maps} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(2_500_000)}0\r\n\r\n`,
      { wait: 3000 }
    ),
  'HTTP/1.1: trailers without end': target =>
    sending(
      target,
      `POST ${maps} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${`a: ${'x'.repeat(1000)}\r\n`.repeat(5000)}`
    ),
  'HTTP/2: a header block of indexed fields': block(0x82),
  'HTTP/2: 20 header blocks of empty fields to remember': block(Buffer.from([0x40, 1, 0x61, 0]), 20),
  'HTTP/2: 20 header blocks in the code of Huffman': block(
    Buffer.concat([Buffer.from([0, 1, 0x61, 0xff, 0x81, 0x01]), Buffer.alloc(256, 0x18)]),
    20
  ),
  'HTTP/2: 200,000 PRIORITY frames': frames(200_000, client => client.send(2, 0, 1, Buffer.from([0, 0, 0, 3, 1]))),
  'HTTP/2: 200,000 acknowledged pings': frames(200_000, client => client.send(6, 1, 0, Buffer.alloc(8))),
  'HTTP/2: 2,000 SETTINGS of 2,700 values': frames(2000, client =>
    client.send(4, 0, 0, settingsPayload(Array.from({ length: 2700 }, (_, i) => [4, i])))
  ),
  'HTTP/2: 300,000 windows of a byte': frames(
    300_000,
    (client, i) => {
      if (i === 0)
        for (let id = 1; id < 200; id += 2)
          client.send(
            headers,
            endHeaders | endStream,
            id,
            literals([
              [':method', 'GET'],
              [':scheme', 'https'],
              [':authority', 'x'],
              [':path', maps]
            ])
          )
      client.send(8, 0, 0, increment(1))
    },
    [[4, 2 ** 31 - 1]]
  ),
  'HTTP/2: 300,000 DATA frames of a byte': frames(300_000, (client, i) => {
    if (i === 0) client.send(headers, endHeaders, 1, literals(createFields))
    client.send(0, 0, 1, Buffer.from(' '))
  }),
  'HTTP/2: 300,000 DATA frames of padding': frames(300_000, (client, i) => {
    if (i === 0) client.send(headers, endHeaders, 1, literals(createFields))
    client.send(0, 8, 1, Buffer.from([0]))
  }),
  'HTTP/2: 100 frames that come by bytes': async target => {
    const clients = await Promise.all(Array.from({ length: 100 }, () => raw(target)))
    const head = Buffer.from([0, 0x40, 0, 0, 0, 0, 0, 0, 1])
    for (const { socket } of clients) socket.write(head)
    for (let i = 0; i < 16_000; i++) {
      for (const { socket } of clients) socket.write('x')
      await new Promise(setImmediate)
    }
    const answer = `${clients.filter(({ socket }) => !socket.destroyed).length} open`
    for (const { socket } of clients) socket.destroy()
    return answer
  },
  'HTTP/2: 5,000 answers for a window that opens by a byte a second': async target => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => raw(target, [[4, 2 ** 31 - 1]])))
    for (const client of clients)
      for (let id = 1; id < 200; id += 2)
        client.send(
          headers,
          endHeaders | endStream,
          id,
          literals([
            [':method', 'GET'],
            [':scheme', 'https'],
            [':authority', 'x'],
            [':path', `${maps}?limit=1`]
          ])
        )
    for (let i = 0; i < 5; i++) {
      await sleep(1000)
      for (const client of clients) client.send(8, 0, 0, increment(1))
    }
    const answer = `${clients.filter(({ socket }) => !socket.destroyed).length} open`
    for (const { socket } of clients) socket.destroy()
    return answer
  },
  'WebSocket: pings of 125 bytes, pongs are not read': async target => {
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)])
    return sending(target, Buffer.concat([Buffer.from(webSocket(`${maps}?watch=1`)), ...Array(800_000).fill(ping)]), {
      reads: false
    })
  },
  'WebSocket: a message of empty fragments': async target => {
    const first = Buffer.from([0x01, 0x80, 0, 0, 0, 0])
    const next = Buffer.from([0x00, 0x80, 0, 0, 0, 0])
    return sending(target, Buffer.concat([Buffer.from(webSocket(`${maps}?watch=1`)), first, ...Array(1_000_000).fill(next)]))
  },
  'WebSocket: 200,000 messages to a watch': async target => {
    const message = Buffer.concat([Buffer.from([0x82, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)])
    return sending(target, Buffer.concat([Buffer.from(webSocket(`${maps}?watch=1`)), ...Array(200_000).fill(message)]))
  },
  'HTTP/1.1: an upgrade to nothing with 16,000 protocols': target =>
    sending(target, webSocket(`${maps}?watch=1`, `sec-websocket-protocol: ${many(16_000, i => `p${i},`)}x\r\n`))
}
