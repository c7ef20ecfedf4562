/** The HTTP/2 server: the only file that uses node:http2. */
import http2 from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Handler } from '../chain/handler.js'
import type { Answer, IncomingRequest, Sink } from '../request/message.js'
import { readStream } from './body.js'
import type { ConnectionLimits } from './connection-limits.js'
import type { Connections } from './connections.js'
import { promptBytes, sendPieces, untilTaken } from './http1.js'
import { peerCertificates } from './peer-certificates.js'
import { longestWaitForReset, resetNow } from './reset.js'

const empty = Buffer.alloc(0)

/** Headers that HTTP/2 does not have. */
const connectionHeaders = ['connection', 'keep-alive', 'transfer-encoding']

class Http2Request implements IncomingRequest {
  readonly #stream: http2.ServerHttp2Stream
  readonly headers: http2.IncomingHttpHeaders
  readonly #rawHeaders: readonly string[]
  readonly #hasBody: boolean
  readonly #connections: Connections
  constructor(
    stream: http2.ServerHttp2Stream,
    headers: http2.IncomingHttpHeaders,
    rawHeaders: readonly string[],
    hasBody: boolean,
    connections: Connections
  ) {
    this.#stream = stream
    this.headers = headers
    this.#rawHeaders = rawHeaders
    this.#hasBody = hasBody
    this.#connections = connections
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
    const socket = connectionOf(this.#stream)
    return socket ? peerCertificates(socket) : []
  }
  readBody(limit: number) {
    if (!this.#hasBody) return Promise.resolve(empty)
    return readStream(this.#stream, this.headers['content-length'], limit)
  }
  openBody() {
    return this.#hasBody ? this.#stream : undefined
  }
  onClose(listener: () => void) {
    this.#stream.once('close', listener)
  }
  onAuthenticated() {
    const socket = connectionOf(this.#stream)
    if (socket) this.#connections.authenticated(socket)
  }
  reset() {
    const { session } = this.#stream
    const socket = connectionOf(this.#stream)
    if (!session || !socket || session.destroyed) return
    const timer = setTimeout(now, longestWaitForReset)
    function now() {
      clearTimeout(timer)
      resetNow(socket!)
    }
    // the client answers a ping after it has been sent everything before: the session does not say what has left
    setImmediate(() => session.destroyed || session.ping(now))
  }
}

/** Holds the session's TLS socket: the session's own `socket` is a proxy without the methods for certificates. */
const tlsSocket = Symbol('tlsSocket')
type Session = http2.Http2Session & { [tlsSocket]?: TLSSocket }

const connectionOf = (stream: http2.ServerHttp2Stream) => (stream.session as Session | undefined)?.[tlsSocket]

export interface Http2Server {
  accept(socket: TLSSocket): void
  /** Closes each connection as soon as it has no request in progress. */
  close(): void
}

export function createHttp2Server(
  handler: Handler,
  connections: Connections,
  limits: ConnectionLimits,
  goawayChance = 0
): Http2Server {
  const sessions = new Set<http2.Http2Session>()
  const server = http2.createServer({
    maxSessionMemory: 64,
    maxHeaderListPairs: limits.headerPairs,
    settings: {
      maxConcurrentStreams: limits.concurrentStreams,
      maxHeaderListSize: limits.headerBytes,
      initialWindowSize: 1024 * 1024
    }
  })
  // the event's type declaration lacks the last argument
  server.on('stream', (stream, headers, flags, rawHeaders: readonly string[] = []) => {
    const socket = connectionOf(stream)
    if (socket) connections.settle(socket)
    stream.on('error', () => stream.close())
    // requests that are under way go on
    if (goawayChance > 0 && Math.random() < goawayChance) stream.session?.close()
    const hasBody = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) === 0
    handler(new Http2Request(stream, headers, rawHeaders, hasBody, connections))
      .then(response => {
        if (socket) connections.settle(socket)
        // after the answer the rest of the body is not needed
        if (hasBody) stream.once('finish', () => stream.close())
        send(response, stream, headers[':method'] === 'HEAD')
      })
      .catch(() => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR))
  })
  server.on('session', session => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    closeWhenIdle(session, limits.idleTimeout)
  })
  server.on('sessionError', () => {})
  return {
    accept(socket) {
      server.once('session', (session: Session) => {
        session[tlsSocket] = socket
      })
      server.emit('connection', socket)
    },
    close() {
      for (const session of sessions) session.close()
    }
  }
}

/** Closes a connection without requests after the idle timeout. As in Go's server, pings are not requests. */
function closeWhenIdle(session: http2.ServerHttp2Session, idleTimeout: number): void {
  let streams = 0
  let timer: NodeJS.Timeout | undefined
  const idle = () => {
    if (timer) timer.refresh()
    else timer = setTimeout(() => streams === 0 && end(session), idleTimeout).unref()
  }
  idle()
  session.on('stream', stream => {
    streams++
    stream.once('close', () => {
      if (--streams === 0) idle()
    })
  })
  session.once('close', () => clearTimeout(timer))
}

/** Sends GOAWAY, and closes the connection without waiting for the client. */
function end(session: http2.Http2Session & { [tlsSocket]?: TLSSocket }): void {
  session.close(() => session[tlsSocket]?.destroy())
}

function send(response: Answer, stream: http2.ServerHttp2Stream, headOnly: boolean): void {
  if (stream.destroyed || stream.closed) return response.ended()
  const { body, stream: streamed } = response
  const headers: http2.OutgoingHttpHeaders = response.headers
  headers[':status'] = response.status
  // the connection takes no more requests
  if (headers.connection === 'close') stream.session?.close()
  for (const name of connectionHeaders) delete headers[name]
  if (streamed) {
    stream.respond(headers)
    stream.once('close', () => response.ended())
    return streamed(sinkOf(stream))
  }
  const length = body ? body.length : 0
  if (length !== undefined) headers['content-length'] = length
  if (headOnly || body === undefined || length === 0) {
    if (body && !Buffer.isBuffer(body)) body.close?.()
    stream.respond(headers, { endStream: true })
    return response.ended()
  }
  const prompt = length !== undefined && length <= promptBytes
  if (!prompt) untilTaken(stream, response)
  stream.respond(headers)
  if (Buffer.isBuffer(body)) stream.end(body)
  else sendPieces(stream, body, response.ended)
  if (prompt) response.ended()
}

function sinkOf(stream: http2.ServerHttp2Stream): Sink {
  return {
    write: chunk => stream.write(chunk),
    onDrain: listener => void stream.on('drain', listener),
    onClose: listener => void stream.once('close', listener),
    end: () => void stream.end(),
    abort: () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
  }
}
