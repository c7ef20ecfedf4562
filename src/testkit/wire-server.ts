/**
 * A server that reads HTTP/1.1 as strictly as the RFC allows (RFC 9112), for tests of what is sent to other servers: a library would forgive
 * what a third server takes for something else.
 */
import net, { type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import tls, { type TlsOptions } from 'node:tls'

export interface WireRequest {
  readonly method: string
  readonly target: string
  /** Names in lower case, with the values of all headers of that name. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly body: Buffer
}

export interface WireServer {
  readonly port: number
  /** All requests that came, in the order of their ends. */
  readonly requests: WireRequest[]
  /** What a strict reader refuses. */
  readonly malformed: string[]
  /** How many connections are open. */
  readonly open: number
  /** Answers a request; a test may replace it. The default answer is an empty JSON object. */
  answer: (request: WireRequest, socket: Duplex) => void
  close(): Promise<void>
}

export const wireAnswer = (status: string, headers: readonly string[], body = ''): string =>
  [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')

export async function startWireServer(options?: TlsOptions): Promise<WireServer> {
  const sockets = new Set<Duplex>()
  const accept = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let bytes: Buffer = Buffer.alloc(0)
    socket.on('data', (piece: Buffer) => {
      bytes = Buffer.concat([bytes, piece])
      try {
        for (let read = readRequest(bytes); read && !socket.destroyed; read = readRequest(bytes)) {
          bytes = bytes.subarray(read.length)
          wire.requests.push(read.request)
          wire.answer(read.request, socket)
          if (read.request.headers.has('upgrade')) return void socket.removeAllListeners('data')
        }
      } catch (error) {
        wire.malformed.push((error as Error).message)
        socket.destroy()
      }
    })
  }
  const server = options ? tls.createServer(options, accept) : net.createServer(accept)
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const wire = {
    port: (server.address() as AddressInfo).port,
    requests: [] as WireRequest[],
    malformed: [] as string[],
    get open() {
      return sockets.size
    },
    answer: ({ method }: WireRequest, socket: Duplex) =>
      void socket.write(wireAnswer('200 OK', ['Content-Type: application/json'], method === 'HEAD' ? '' : '{}')),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
  return wire
}

const requestLine = /^([A-Z]+) (\/[\x21-\x7e]*) HTTP\/1\.1$/
const headerLine =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[ \t]*$/
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** Reads the first request of the bytes; undefined while it is not complete. Throws for what is malformed or ambiguous. */
export function readRequest(bytes: Buffer): { readonly request: WireRequest; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
  if (/[^\r]\n|\r[^\n]|\0/.test(head)) throw new Error(`a line ends oddly: ${JSON.stringify(head)}`)
  if (end < 0) return undefined
  const [first = '', ...lines] = head.split('\r\n')
  const [, method, target] = requestLine.exec(first) ?? []
  if (!method || !target) throw new Error(`a malformed request line: ${JSON.stringify(first)}`)
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? []
    if (!name) throw new Error(`a malformed header: ${JSON.stringify(line)}`)
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value!])
  }
  if (headers.get('host')?.length !== 1) throw new Error(`not one Host in ${JSON.stringify(head)}`)
  const start = end + 4
  const read = bodyOf(bytes, start, method, headers)
  return read && { request: { method, target, headers, body: read.body }, length: read.end }
}

function bodyOf(bytes: Buffer, start: number, method: string, headers: ReadonlyMap<string, string[]>) {
  const lengths = headers.get('content-length') ?? []
  const codings = headers.get('transfer-encoding') ?? []
  if (lengths.length + codings.length > 1) throw new Error(`the body has ${lengths.length} lengths and ${codings.length} codings`)
  if (codings.length > 0 && codings[0] !== 'chunked') throw new Error(`an unknown coding: ${codings[0]}`)
  if (codings.length > 0) return chunksOf(bytes, start)
  if (lengths.length === 0) {
    if (!withoutBody.has(method)) throw new Error(`${method} does not say how long its body is`)
    return { body: Buffer.alloc(0), end: start }
  }
  if (!/^\d{1,9}$/.test(lengths[0]!)) throw new Error(`a malformed length: ${lengths[0]}`)
  const end = start + Number(lengths[0])
  return end > bytes.length ? undefined : { body: bytes.subarray(start, end), end }
}

function chunksOf(bytes: Buffer, start: number) {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line < 0) return undefined
    const size = bytes.toString('latin1', at, line)
    if (!/^[\da-f]{1,8}$/i.test(size)) throw new Error(`a malformed chunk: ${JSON.stringify(size)}`)
    const [from, to] = [line + 2, line + 2 + Number.parseInt(size, 16)]
    if (to + 2 > bytes.length) return undefined
    if (bytes.toString('latin1', to, to + 2) !== '\r\n') throw new Error('a chunk is longer than it says')
    if (from === to) return { body: Buffer.concat(chunks), end: to + 2 }
    chunks.push(bytes.subarray(from, to))
    at = to + 2
  }
}
