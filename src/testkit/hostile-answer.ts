/** Makes answers of HTTP that hope to hold, exhaust or mislead who has asked. */
import type { Duplex } from 'node:stream'
import { gzipSync } from 'node:zlib'
import type { HostileValues } from './hostile-values.js'
import { pick } from './random.js'

/** Sends bytes of the answer, and ends the connection or does not. */
export type Answer = (socket: Duplex) => void

const statuses = [
  '200 OK',
  '200 OK',
  '201 Created',
  '204 x',
  '206 x',
  '304 x',
  '400 x',
  '401 x',
  '403 x',
  '404 x',
  '409 x',
  '422 x'
]
const failures = ['429 x', '500 x', '503 x', '504 x', '599 x', '999 x', '99 x', '1000 x', '-1 x', 'x', '101 Switching Protocols']
const places = [
  '/',
  '/other?a=b',
  '',
  '//',
  'http://[',
  'file:///etc/passwd',
  'https://127.0.0.1:1/',
  'javascript:x',
  '/\xe4',
  '?'
]
const lines = [
  ...['Content-Type: text/html', 'Content-Type: application/json', 'Content-Type: __proto__', 'Content-Encoding: gzip'],
  ...['Retry-After: 0', 'Retry-After: -1', 'Retry-After: x', 'Connection: close', '__proto__: x', 'X-A: \xe4', 'Trailer: x'],
  ...['X-A: a\rX-B: b', 'X A: b', ' folded', 'Upgrade: h2c', 'Set-Cookie: a=b', `X-Long: ${'x'.repeat(9000)}`],
  ...['Content-Length: 5', 'Content-Length: -1', 'Content-Length: 1, 2', 'Transfer-Encoding: gzip']
]
const chunked = (body: Buffer) => [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]
const bomb = gzipSync(Buffer.alloc(20_000_000))
const early = 'HTTP/1.1 103 x\r\nX-A: b\r\n\r\n'

/** How often an answer never ends: one in `stalls`; 0 for never. */
export function hostileAnswer(values: HostileValues, body: Buffer, stalls: number): Answer {
  const { next } = values
  const head = (status: string, more: readonly string[]) =>
    Buffer.from([`HTTP/1.1 ${status}`, ...more, '', ''].join('\r\n'), 'latin1')
  const length = (of: number) => `Content-Length: ${of}`
  const json = 'Content-Type: application/json'
  const ending = (...parts: readonly Buffer[]): Answer => {
    const isCut = next(2) === 0
    return socket => void socket.write(Buffer.concat(parts), () => (isCut ? socket.destroy() : socket.end()))
  }
  if (stalls > 0 && next(stalls) === 0) {
    const beginning = pick(next, [
      Buffer.alloc(0),
      head('200 OK', [json, length(100)]),
      head('200 OK', ['Transfer-Encoding: chunked'])
    ])
    return pick(next, [
      socket => void socket.write(beginning),
      socket => drip(socket, beginning),
      socket => endless(socket, head('200 OK', [json])),
      socket => endless(socket, Buffer.alloc(0)),
      socket => void socket.write(Buffer.concat([head('503 x', ['Retry-After: 999999999', length(0)])]))
    ])
  }
  if (next(3) > 0) return ending(head('200 OK', [json, length(body.length)]), body)
  const more = Array.from({ length: next(4) }, () => pick(next, lines))
  const status = next(3) === 0 ? pick(next, failures) : pick(next, statuses)
  switch (next(10)) {
    case 0:
      return ending(
        head(pick(next, ['301 x', '302 x', '303 x', '307 x', '308 x', '300 x']), [`Location: ${pick(next, places)}`, length(0)])
      )
    case 1:
      return ending(head('200 OK', [json, 'Content-Encoding: gzip', length(bomb.length)]), bomb)
    case 2:
      return ending(Buffer.from(early.repeat(1 + next(3000))), head('200 OK', [json, length(body.length)]), body)
    case 3:
      return ending(head(status, [...more, length(body.length + next(5) - 2)]), body)
    case 4:
      return ending(head(status, [...more, 'Transfer-Encoding: chunked']), ...chunked(body))
    case 5:
      return ending(head(status, [...more, 'Transfer-Encoding: chunked']), body)
    case 6:
      return ending(body)
    case 7: {
      const whole = Buffer.concat([head(status, [...more, length(body.length)]), body])
      return ending(whole.subarray(0, next(whole.length)))
    }
    case 8:
      return ending(head(status, more), body, head('200 OK', [length(0)]))
    default:
      return ending(head(status, [...more, length(body.length)]), body)
  }
}

function drip(socket: Duplex, beginning: Buffer): void {
  socket.write(beginning)
  const timer = setInterval(() => socket.write(' '), 20)
  socket.once('close', () => clearInterval(timer))
}

function endless(socket: Duplex, beginning: Buffer): void {
  socket.write(beginning)
  const more = () => {
    while (!socket.destroyed) if (!socket.write(Buffer.alloc(65_536, 'x'))) return void socket.once('drain', more)
  }
  more()
}

const deep = (values: HostileValues, text: string, of: number) => {
  const [open, close] = pick(values.next, [
    ['[', ']'],
    ['{"a":', '}']
  ] as const)
  return text.replace('}', `,"deep":${open.repeat(of)}1${close.repeat(of)}}`)
}

/** The JSON of a value of the form of another one, or what hopes to be taken for it. */
export function hostileJson(values: HostileValues, value: unknown): Buffer {
  const { next } = values
  const text = JSON.stringify(next(4) === 0 ? value : values.like(value)) ?? ''
  switch (next(14)) {
    case 0:
      return Buffer.from(text.slice(0, next(text.length + 1)))
    case 1:
      return Buffer.from(deep(values, text, pick(next, [50, 5000, 100_000])))
    case 2:
      return Buffer.from(text.replace('{', '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},'))
    case 3:
      return Buffer.from(
        text.replace(/:("[^"]*"|\d+|true)/, pick(next, [':1e999', ':-0', ':9223372036854775807', ':1E400', ':NaN', ':01']))
      )
    case 4:
      return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])
    case 5:
      return Buffer.from(
        pick(next, ['', 'null', '[]', '"x"', '1', '{}', '\ufeff{}', `${text}${text}`, 'a: b', '&a [*a]', '---\n--- 1'])
      )
    case 6:
      return Buffer.from(text.replaceAll('"', pick(next, ["'", '\\u0022', '""'])))
    default:
      return Buffer.from(text)
  }
}
