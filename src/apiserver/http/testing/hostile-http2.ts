/** Streams of clients of HTTP/2 that hope to be understood differently by two readers, and a strict reading of them (RFC 9113, section 8). */

import { pick, type Random } from '../../../testkit/random.js'
import { literals } from '../../../testkit/raw-http2.js'
import { flag, frame, frameType } from '../http2/frames.js'
import { type Seen, seen } from './strict-http1.js'

export interface HostileStream {
  readonly id: number
  readonly frames: Buffer
  /** What a strict reader makes of it; undefined when the stream must be refused. */
  readonly reading: Seen | undefined
}

type Field = [name: string, value: string]

const texts = ['', 'x', '{"a":1}', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'x'.repeat(300), '\0\xff']
const hosts = ['x', 'X', 'y', 'x:443', '', 'u@x', 'x, y', 'x y']
const usually = <T>(next: Random, usual: T, others: readonly T[]): T => (next(12) === 0 ? pick(next, others) : usual)

function fieldsOf(next: Random, id: number, length: number, hasBody: boolean): Field[] {
  const pseudo: Field[] = [
    [':method', usually(next, hasBody ? 'POST' : 'GET', ['', 'G T', 'CONNECT', 'x\0', 'PUT'])],
    [':scheme', usually(next, 'https', ['http', '', 'ht tp'])],
    [':path', usually(next, `/${id}`, ['', '*', `/${id} HTTP/1.1`, `/${id}\r\nA: b`, `/${id}\0`, `/${id}\xff`, 'x'])]
  ]
  if (next(8) > 0) pseudo.push([':authority', usually(next, 'x', hosts)])
  const fields: Field[] = []
  if (next(6) === 0) fields.push(['host', pick(next, hosts)])
  if (next(20) === 0) fields.push(['host', pick(next, hosts)])
  const announced = String(length)
  const lengths = [`+${length}`, `${length + 1}`, '-1', '', `0${length}`, `${length}, ${length}`, '9'.repeat(16), `${length} `]
  if (next(3) === 0) fields.push(['content-length', usually(next, announced, lengths)])
  if (next(20) === 0) fields.push(['content-length', usually(next, announced, lengths)])
  if (next(5) === 0)
    fields.push([
      pick(next, [
        'x-a',
        'X-A',
        'x a',
        '',
        'x:',
        '__proto__',
        'cookie',
        'te',
        'connection',
        'keep-alive',
        'transfer-encoding',
        'upgrade',
        'proxy-connection',
        'x\r',
        'x\0'
      ]),
      pick(next, ['', 'b', ' b', 'b ', '\tb', 'b\r\nhost: y', 'b\0', 'trailers', 'chunked', '\xff', 'close'])
    ])
  if (next(15) === 0)
    pseudo.push(
      pick<Field>(next, [
        [':method', 'GET'],
        [':path', '/y'],
        [':authority', 'x'],
        [':protocol', 'websocket'],
        [':status', '200'],
        [':', 'x']
      ])
    )
  // pseudo-header fields come first
  return usually(
    next,
    [...pseudo, ...fields],
    [[...fields, ...pseudo], [...pseudo.slice(1), ...fields, pseudo[0]!], pseudo.slice(1), [...fields]]
  )
}

const isPrintable = (text: string) => text !== '' && [...text].every(one => one > ' ' && one !== '\x7f')
const isToken = (text: string) => isPrintable(text) && [...text].every(one => one < '\x7f' && !'"(),/:;<=>?@[\\]{}'.includes(one))
const lastOf = (fields: readonly Field[], name: string) => fields.find(([one]) => one === name)?.[1]

function strict(fields: readonly Field[], body: Buffer, hasTrailers: boolean, trailers: readonly Field[]): Seen | undefined {
  let isRegular = false
  for (const [i, [name, value]] of fields.entries()) {
    if (name.startsWith(':')) {
      if (isRegular || ![':method', ':scheme', ':path', ':authority'].includes(name)) return undefined
      if (fields.findIndex(([one]) => one === name) !== i) return undefined
      if (!(name === ':method' || name === ':scheme' ? isToken(value) : isPrintable(value))) return undefined
    } else {
      isRegular = true
      if (!isSound(name, value)) return undefined
    }
  }
  for (const name of ['host', 'content-length'])
    if (new Set(fields.filter(([one]) => one === name).map(([, value]) => value)).size > 1) return undefined
  const [method, scheme, path, authority] = [':method', ':scheme', ':path', ':authority'].map(name => lastOf(fields, name))
  if (!method || method === 'CONNECT' || !['http', 'https'].includes(scheme ?? '')) return undefined
  if (!path || !(path[0] === '/' || path === '*')) return undefined
  const host = lastOf(fields, 'host')
  if (
    authority?.includes('@') ||
    (authority !== undefined && host !== undefined && host.toLowerCase() !== authority.toLowerCase())
  )
    return undefined
  const length = lastOf(fields, 'content-length')
  if (length !== undefined && (length.length > 15 || length === '' || [...length].some(one => one < '0' || one > '9')))
    return undefined
  if (length !== undefined && Number(length) !== body.length) return undefined
  if (hasTrailers && trailers.some(([name, value]) => name.startsWith(':') || !isSound(name, value))) return undefined
  return seen(method, path, body)
}

function isSound(name: string, value: string): boolean {
  if (!isToken(name) || name !== name.toLowerCase()) return false
  if (['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'proxy-connection'].includes(name)) return false
  if (/^[ \t]|[ \t]$|[\r\n\0]/.test(value)) return false
  return name !== 'te' || value === 'trailers'
}

/** One stream: its header block in one frame or several, then its body with or without padding, and perhaps trailers. */
export function hostileStream(next: Random, id: number): HostileStream {
  const body = Buffer.from(pick(next, texts), 'latin1')
  const hasBody = next(3) > 0
  const sent = hasBody ? body : Buffer.alloc(0)
  const fields = fieldsOf(next, id, sent.length, hasBody)
  // further headers on a stream that has been refused end the connection
  const hasTrailers = hasBody && strict(fields, sent, false, []) !== undefined && next(4) === 0
  const trailers: Field[] = [
    usually<Field>(
      next,
      ['x-trailer', 'a'],
      [
        [':path', '/'],
        ['X-T', 'a'],
        ['connection', 'close'],
        ['x', 'a\n']
      ]
    )
  ]
  const frames: Buffer[] = []
  const add = (type: number, flags: number, payload: Buffer) =>
    void frames.push(frame(type, flags, id, payload.length, (into, at) => void payload.copy(into, at)))
  const addBlock = (block: Buffer, ends: boolean) => {
    const cut = next(3) === 0 ? next(block.length + 1) : block.length
    const last = cut === block.length
    add(frameType.headers, (ends ? flag.endStream : 0) | (last ? flag.endHeaders : 0), block.subarray(0, cut))
    if (!last) add(frameType.continuation, flag.endHeaders, block.subarray(cut))
  }
  addBlock(literals(fields), !hasBody)
  if (hasBody) {
    for (let at = 0; at < sent.length; ) {
      const length = 1 + next(sent.length - at)
      at += length
      const part = sent.subarray(at - length, at)
      const ends = at === sent.length && !hasTrailers && next(2) === 0
      const pad = next(4) === 0 ? 1 + next(5) : 0
      if (pad)
        add(
          frameType.data,
          flag.padded | (ends ? flag.endStream : 0),
          Buffer.concat([Buffer.from([pad]), part, Buffer.alloc(pad)])
        )
      else add(frameType.data, ends ? flag.endStream : 0, part)
      if (ends) return { id, frames: Buffer.concat(frames), reading: strict(fields, sent, false, []) }
    }
    if (hasTrailers) addBlock(literals(trailers), true)
    else add(frameType.data, flag.endStream, Buffer.alloc(0))
  }
  return { id, frames: Buffer.concat(frames), reading: strict(fields, sent, hasTrailers, trailers) }
}
