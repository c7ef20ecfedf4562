/** Bytes of clients of HTTP/1.1 that hope to be understood differently by two readers. */
import { pick, type Random } from '../../../testkit/random.js'

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
const texts = ['', 'x', '{"a":1}', '\r\n', '\r\n\r\n', '0\r\n\r\n', smuggled, 'x'.repeat(300), '\0\xff', `5\r\n${smuggled}`]
const blanks = ['', ' ', '\t', '  ', '\x0b', '\xa0', '\r\n ', '\n']
const lineEnds = ['\n', '\r', '\r\r\n', '\n\r\n', '\0\r\n']
const lineEnd = (next: Random) => (next(60) === 0 ? pick(next, lineEnds) : '\r\n')
const upgrades = ['h2c', 'websocket', 'SPDY/3.1', 'TLS/1.0', '', 'websocket, h2c', 'H2C']

/** Mostly the first of them. */
const usually = <T>(next: Random, usual: T, others: readonly T[]): T => (next(20) === 0 ? pick(next, others) : usual)

const lengthsOf = (length: number): string[] => [
  ...[`+${length}`, `-${length}`, ` ${length}`, `${length} `, `0${length}`, `0x${length.toString(16)}`, `${length}.0`, ''],
  ...[
    `${length}, ${length}`,
    `${length},${length}`,
    `${length} ${length}`,
    `${length}\0`,
    `${length + 1}`,
    `${Math.max(0, length - 1)}`
  ],
  ...['99999999999999999999', '1e1', 'x', `${length};`, '\u00b2']
]
const codings = [
  ...[
    'Chunked',
    'CHUNKED',
    'chunked, chunked',
    'gzip, chunked',
    'chunked, identity',
    'identity',
    'gzip',
    '',
    ' chunked',
    'chunked '
  ],
  ...['\tchunked', '\x0bchunked', 'chunked;', '"chunked"', 'chunke', 'xchunked', 'chunked\0', ',chunked']
]

function field(next: Random, name: string, value: string): string {
  const written = usually(next, name, [
    name.toUpperCase(),
    `${name} `,
    ` ${name}`,
    `\t${name}`,
    `${name}\t`,
    name.replace('-', '_'),
    `${name}\0`,
    `${name}\r`,
    `(${name}`
  ])
  return `${written}${usually(next, ':', ['', '::', ' :', ';'])}${usually(next, ' ', blanks)}${value}${lineEnd(next)}`
}

function chunked(next: Random, body: string): string {
  let text = ''
  for (let at = 0; at < body.length; ) {
    const length = 1 + next(body.length - at)
    const size = length.toString(16)
    const written = usually(next, size, [
      ...[size.toUpperCase(), `000${size}`, `+${size}`, `-${size}`, `0x${size}`, ` ${size}`, `${size} `, `${size}\t`, ''],
      ...[
        `${size};a=b`,
        `${size};a="\r\n"`,
        `${size};`,
        `${size} ;a`,
        `${size};\n`,
        `${size}\0`,
        `${'0'.repeat(20)}${size}`,
        (length + 1).toString(16)
      ]
    ])
    text += `${written}${lineEnd(next)}${body.slice(at, at + length)}${usually(next, '\r\n', ['', '\n', '\r', 'xx', '\r\n\r\n'])}`
    at += length
  }
  const last = usually(next, '0', ['00', '000000000000', '0;a', '0x0', '', '-0', '0 '])
  const trailers = next(4) === 0 ? field(next, pick(next, ['X-Trailer', 'Content-Length', 'Host', 'Transfer-Encoding']), '5') : ''
  return `${text}${last}${lineEnd(next)}${trailers}${lineEnd(next)}`
}

function request(next: Random, number: number): string {
  const body = pick(next, texts)
  const fields: string[] = []
  const add = (name: string, value: string) => void fields.push(field(next, name, value))
  const hosts = usually(next, 1, [0, 2])
  for (let i = 0; i < hosts; i++) add('Host', usually(next, 'x', ['', 'y', 'a b', 'x, y', '[::1]:1', 'u@x', 'x/y']))
  let sent = ''
  const framing = next(10)
  if (framing >= 3 && framing < 7) {
    add('Content-Length', next(4) === 0 ? pick(next, lengthsOf(body.length)) : String(body.length))
    sent = body
  } else if (framing >= 7) {
    add('Transfer-Encoding', next(4) === 0 ? pick(next, codings) : 'chunked')
    sent = chunked(next, body)
  }
  if (next(15) === 0) add('Content-Length', usually(next, String(body.length), lengthsOf(body.length)))
  if (next(25) === 0) add('Transfer-Encoding', usually(next, 'chunked', codings))
  if (next(6) === 0) {
    add('Connection', pick(next, ['Upgrade', 'upgrade, HTTP2-Settings', 'keep-alive, Upgrade', 'close, Upgrade']))
    add('Upgrade', pick(next, upgrades))
  }
  if (next(12) === 0)
    add('Connection', pick(next, ['close', 'Close', 'keep-alive', 'Content-Length', 'Transfer-Encoding', 'x,close', 'closed']))
  if (next(25) === 0) add('Expect', pick(next, ['100-continue', '100-Continue', '200-ok', '', '100-continue, x']))
  if (next(8) === 0)
    add(
      pick(next, ['X-A', 'Cookie', '__proto__', 'constructor']),
      pick(next, ['', 'b', '\xff', 'a\tb', 'x: y', smuggled.split('\r\n')[0]!])
    )
  // in any order
  for (let i = fields.length - 1; i > 0; i--) {
    const other = next(i + 1)
    ;[fields[i], fields[other]] = [fields[other]!, fields[i]!]
  }
  const method = usually(next, pick(next, ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']), [
    'get',
    'X-Y',
    'CONNECT',
    'PRI',
    'G T',
    '',
    '"GET"',
    'GET\t'
  ])
  const path = `/${number}`
  const target = usually(next, path, [
    `http://y${path}`,
    `HTTPS://y?${number}`,
    '*',
    number.toString(),
    `ftp://y${path}`,
    `//y${path}`,
    'http://',
    `${path} ${path}`,
    `${path}\xff`,
    `${path}\0`,
    `http://u@y${path}`
  ])
  const version = usually(next, 'HTTP/1.1', [
    'HTTP/1.0',
    'HTTP/1.0',
    'HTTP/2.0',
    'HTTP/0.9',
    'HTTP/1.2',
    'HTTP/1.10',
    'HTTP/2',
    'http/1.1',
    '',
    'HTTP/1.1 ',
    'HTTP/01.1',
    'ICE/1.0'
  ])
  const between = usually(next, ' ', ['  ', '\t', ''])
  const first = usually(next, '', ['\r\n', '\r\n\r\n', '\n', ' '])
  return `${first}${method}${between}${target} ${version}${lineEnd(next)}${fields.join('')}${usually(next, '\r\n', ['\n', '\r', ' \r\n'])}${sent}`
}

/** Some requests, and a last one that closes the connection. */
export function hostileHttp1(next: Random): Buffer {
  let text = ''
  for (let number = 1 + next(3); number > 0; number--) text += request(next, number)
  return Buffer.from(`${text}GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1')
}
