/** Serves HTTP/2 with its own protocol engine: through node:http2, a get takes 1.7 times as long (docs/dependencies.md). */
import type { TLSSocket } from 'node:tls'
import type { Answer, Handler, IncomingRequest, Sink } from '../../../apimachinery/request/message.js'
import { peerCertificates } from '../../../transport/certificates/peer-certificates.js'
import { promptBytes, sendPieces, untilTaken } from '../answer-body.js'
import type { ConnectionLimits } from '../connection-limits.js'
import type { Connections } from '../connections.js'
import { httpDate } from '../http-date.js'
import { longestWaitForReset, resetNow } from '../reset.js'
import type { Turns } from '../turns.js'
import { errorCode } from './errors.js'
import { Session } from './session.js'
import type { Stream } from './stream.js'

const empty = Buffer.alloc(0)

class Http2Request implements IncomingRequest {
  readonly #stream: Stream
  readonly #connections: Connections
  constructor(stream: Stream, connections: Connections) {
    this.#stream = stream
    this.#connections = connections
  }
  get headers() {
    return this.#stream.headers
  }
  get method() {
    return this.headers[':method']!
  }
  get url() {
    return this.headers[':path']!
  }
  get #socket() {
    return this.#stream.session.socket
  }
  get remoteAddress() {
    return this.#socket.remoteAddress ?? ''
  }
  rawHeaders() {
    return this.#stream.rawHeaders
  }
  peerCertificates() {
    return peerCertificates(this.#socket)
  }
  readBody(limit: number) {
    return this.#stream.body?.collect(this.headers['content-length'], limit) ?? Promise.resolve(empty)
  }
  openBody() {
    const stream = this.#stream.body?.open()
    const length = this.headers['content-length']
    return stream && { stream, length: length === undefined ? undefined : Number(length) }
  }
  onClose(listener: () => void) {
    this.#stream.once('close', listener)
  }
  endSession() {
    this.#stream.session.close()
  }
  onAuthenticated() {
    this.#connections.authenticated(this.#socket)
  }
  reset() {
    const socket = this.#socket
    if (socket.destroyed) return
    const timer = setTimeout(now, longestWaitForReset)
    function now() {
      clearTimeout(timer)
      resetNow(socket)
    }
    // the client answers a ping after it has been sent everything before: the socket does not say what has left
    setImmediate(() => this.#stream.session.ping(now))
  }
}

export interface Http2Server {
  accept(socket: TLSSocket): void
  /** Closes each connection as soon as it has no request in progress. */
  close(): void
}

export function createHttp2Server(
  handler: Handler,
  connections: Connections,
  limits: ConnectionLimits,
  turns: Turns,
  goawayChance = 0
): Http2Server {
  const sessions = new Set<Session>()
  return {
    accept(socket) {
      const session = new Session(socket, limits, turns, { request, close: () => sessions.delete(session) })
      sessions.add(session)
    },
    close() {
      for (const session of sessions) session.close()
    }
  }

  function request(stream: Stream): void {
    const { session } = stream
    connections.settle(session.socket)
    // requests that are under way go on
    if (goawayChance > 0 && Math.random() < goawayChance) session.close()
    handler(new Http2Request(stream, connections))
      .then(response => {
        connections.settle(session.socket)
        try {
          send(response, stream)
        } catch (error) {
          response.ended(true)
          throw error
        }
      })
      .catch(() => stream.destroy(errorCode.internal))
      .finally(() => session.handled())
  }
}

function send(response: Answer, stream: Stream): void {
  if (stream.isClosed) return response.ended()
  const { body, stream: streamed, headers } = response
  // the connection takes no more requests
  if (headers.connection === 'close') stream.session.close()
  headers.date ??= httpDate()
  if (streamed) {
    stream.respond(response.status, headers, false)
    stream.once('close', () => response.ended())
    return streamed(sinkOf(stream))
  }
  const length = body ? body.length : 0
  if (length !== undefined) headers['content-length'] = String(length)
  if (stream.headers[':method'] === 'HEAD' || body === undefined || length === 0) {
    if (body && !Buffer.isBuffer(body)) body.close?.()
    stream.respond(response.status, headers, true)
    return response.ended()
  }
  const prompt = length !== undefined && length <= promptBytes
  if (!prompt) untilTaken(stream, response)
  stream.respond(response.status, headers, false)
  if (Buffer.isBuffer(body)) stream.end(body)
  else sendPieces(stream, body, response.ended)
  if (prompt) response.ended()
}

function sinkOf(stream: Stream): Sink {
  return {
    write: chunk => stream.write(chunk),
    onDrain: listener => void stream.on('drain', listener),
    onClose: listener => void stream.once('close', listener),
    end: () => stream.end(),
    abort: () => stream.destroy(errorCode.internal)
  }
}
