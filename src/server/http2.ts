/** The HTTP/2 edge: the one file that knows node:http2. */
import http2 from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { peerCertificates } from '../authentication/peer-certificates.js'
import { readStream } from './body.js'
import type { IncomingRequest, Response, Sink } from './context.js'
import type { Handler } from './handler.js'
import { sendPieces } from './http1.js'

const empty = Buffer.alloc(0)

/** Headers that HTTP/2 does not have. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding']

class Http2Request implements IncomingRequest {
  readonly #stream: http2.ServerHttp2Stream
  readonly headers: http2.IncomingHttpHeaders
  readonly #rawHeaders: readonly string[]
  readonly #endsWithHeaders: boolean
  constructor(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, flags: number, rawHeaders: readonly string[]) {
    this.#stream = stream
    this.headers = headers
    this.#rawHeaders = rawHeaders
    this.#endsWithHeaders = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0
  }
  get method() {
    return this.headers[':method']!
  }
  get url() {
    return this.headers[':path']!
  }
  get #socket() {
    return this.#stream.session?.socket as TLSSocket | undefined
  }
  get remoteAddress() {
    return this.#socket?.remoteAddress ?? ''
  }
  rawHeaders() {
    return this.#rawHeaders
  }
  peerCertificates() {
    const socket = (this.#stream.session as any)?.[tlsSocket] as TLSSocket | undefined
    return socket ? peerCertificates(socket) : []
  }
  readBody(limit: number) {
    if (this.#endsWithHeaders) return Promise.resolve(empty)
    return readStream(this.#stream, this.headers['content-length'], limit)
  }
  onClose(listener: () => void) {
    this.#stream.once('close', listener)
  }
}

/** A session's own `socket` is a proxy that hides the certificate's methods. */
export const tlsSocket = Symbol('tlsSocket')

export function createHttp2Server(handler: Handler): http2.Http2Server {
  const server = http2.createServer({
    maxSessionMemory: 64,
    settings: { maxConcurrentStreams: 250, initialWindowSize: 1024 * 1024 }
  })
  // the type of the event leaves the last argument out
  server.on('stream', (stream, headers, flags, rawHeaders: readonly string[] = []) => {
    stream.on('error', () => stream.close())
    handler(new Http2Request(stream, headers, flags, rawHeaders)).then(
      response => send(response, stream, headers[':method'] === 'HEAD'),
      () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
    )
  })
  server.on('sessionError', () => {})
  return server
}

function send(response: Response, stream: http2.ServerHttp2Stream, headOnly: boolean): void {
  if (stream.destroyed || stream.closed) return
  const { body, stream: streamed } = response
  const headers: http2.OutgoingHttpHeaders = response.headers
  headers[':status'] = response.status
  for (const name of connectionHeaders) delete headers[name]
  if (streamed) {
    stream.respond(headers)
    streamed(sinkOf(stream))
    return
  }
  const whole = body === undefined || Buffer.isBuffer(body)
  const length = body ? body.length : 0
  if (length !== undefined) headers['content-length'] = length
  if (headOnly || length === 0) {
    if (!whole) body.close?.()
    return void stream.respond(headers, { endStream: true })
  }
  stream.respond(headers)
  if (whole) stream.end(body)
  else sendPieces(stream, body)
}

function sinkOf(stream: http2.ServerHttp2Stream): Sink {
  return {
    write: chunk => stream.write(chunk),
    onDrain: listener => void stream.on('drain', listener),
    onClose: listener => void stream.once('close', listener),
    end: () => void stream.end()
  }
}
