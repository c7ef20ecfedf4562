/** The HTTP/1.1 edge: the one file that knows node:http. */
import http from 'node:http'
import type { Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { peerCertificates } from '../authentication/peer-certificates.js'
import { respondText } from '../endpoints/respond.js'
import { readStream } from './body.js'
import type { ConnectionLimits } from './connection-limits.js'
import type { Connections } from './connections.js'
import type { BodyPieces, IncomingRequest, Piece, Response, Sink } from './context.js'
import type { Handler } from './handler.js'
import { isForeignPage, isWebSocket, streamOverWebSocket, withProtocolToken } from './websocket.js'

const empty = Buffer.alloc(0)

class Http1Request implements IncomingRequest {
  readonly #message: http.IncomingMessage
  readonly #connections: Connections
  readonly headers: http.IncomingHttpHeaders
  constructor(message: http.IncomingMessage, connections: Connections, headers = message.headers) {
    this.#message = message
    this.#connections = connections
    this.headers = headers
  }
  get method() {
    return this.#message.method!
  }
  get url() {
    const url = this.#message.url!
    // a request as proxies get it
    return url[0] === '/' ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
  }
  get remoteAddress() {
    return this.#message.socket.remoteAddress ?? ''
  }
  rawHeaders() {
    return this.#message.rawHeaders
  }
  peerCertificates() {
    return peerCertificates(this.#message.socket as TLSSocket)
  }
  readBody(limit: number) {
    const { headers } = this.#message
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return Promise.resolve(empty)
    return readStream(this.#message, headers['content-length'], limit)
  }
  onClose(listener: () => void) {
    this.#message.socket.once('close', listener)
  }
  onAuthenticated() {
    this.#connections.authenticated(this.#message.socket)
  }
}

export interface Http1Server {
  accept(socket: TLSSocket): void
  /** Closes connections as soon as they have no request under way. */
  close(): void
}

export function createHttp1Server(handler: Handler, connections: Connections, limits: ConnectionLimits): Http1Server {
  const options = {
    noDelay: true,
    keepAlive: true,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: limits.checkInterval
  }
  const server = http.createServer(options, (message, answer) => {
    connections.settle(message.socket)
    handler(new Http1Request(message, connections)).then(
      response => {
        connections.settle(message.socket)
        send(response, message, answer, limits.unreadBytes)
      },
      () => answer.destroy()
    )
  })
  // all that fit into the bytes: by default Node drops those after the 1,000th and says nothing
  server.maxHeadersCount = 0
  // it has no port of its own, and without this event it would never look for connections that are too slow
  server.emit('listening')
  // the words of Go's HTTP server
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { _httpMessage: answer } = socket as { _httpMessage?: http.ServerResponse }
    const status = parserErrors[error.code ?? ''] ?? '400 Bad Request'
    if (socket.writable && !answer?.headersSent)
      socket.write(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`)
    socket.destroy(error)
  })
  // without a listener Node would answer as if nobody had asked for an upgrade, which is right for all but WebSockets
  server.on('upgrade', (message, socket, head) => {
    const webSocket = isWebSocket(message)
    const request = new Http1Request(message, connections, webSocket ? withProtocolToken(message.headers) : message.headers)
    socket.on('error', () => socket.destroy())
    const answered = webSocket && isForeignPage(message.headers) ? Promise.resolve(foreignPage()) : handler(request)
    answered
      .then(response => {
        if (webSocket && response.stream) {
          response.taken?.()
          return streamOverWebSocket(response, message, socket, head)
        }
        const answer = new http.ServerResponse(message)
        answer.shouldKeepAlive = false
        answer.assignSocket(socket as TLSSocket)
        answer.once('finish', () => socket.end())
        send(response, message, answer, limits.unreadBytes)
        return undefined
      })
      .catch(() => socket.destroy())
  })
  return {
    accept: socket => void server.emit('connection', socket),
    close() {
      server.close()
      server.closeIdleConnections()
    }
  }
}

const parserErrors: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout'
}

const foreignPage = () => respondText('403 Forbidden: a page of another origin needs a bearer token\n', 403)

function send(response: Response, message: http.IncomingMessage, answer: http.ServerResponse, unreadBytes: number): void {
  const { body, stream, headers } = response
  if (answer.destroyed) return response.taken?.()
  // an unread body would be taken for the next request
  if (
    !message.readableEnded &&
    (message.headers['content-length'] !== undefined || message.headers['transfer-encoding'] !== undefined)
  ) {
    if (response.status === 413) answer.shouldKeepAlive = false
    discardBody(message, unreadBytes)
  }
  if (stream) {
    answer.writeHead(response.status, headers)
    answer.flushHeaders()
    stream(sinkOf(answer))
    return response.taken?.()
  }
  const length = body ? body.length : 0
  const prompt = length !== undefined && length <= promptBytes
  if (!prompt) untilTaken(answer, response)
  if (length !== undefined) headers['content-length'] = String(length)
  answer.writeHead(response.status, headers)
  if (message.method === 'HEAD') {
    if (body && !Buffer.isBuffer(body)) body.close?.()
    answer.end()
  } else if (body === undefined || Buffer.isBuffer(body)) answer.end(body)
  else sendPieces(answer, body)
  if (prompt) response.taken?.()
}

function discardBody(message: http.IncomingMessage, limit: number): void {
  let unread = 0
  message.on('data', (chunk: Buffer) => {
    unread += chunk.length
    if (unread > limit) message.socket.destroy()
  })
}

/** An answer of so many bytes is out of our hands at once: the buffers of the connection take it. */
export const promptBytes = 64 * 1024

/** Ends an answer that its client does not take in time. */
export function untilTaken(answer: Writable, { takeWithin, taken }: Response): void {
  const timer = takeWithin === undefined ? undefined : setTimeout(() => answer.destroy(), takeWithin)
  answer.once('close', () => {
    clearTimeout(timer)
    taken?.()
  })
}

/** One piece after the other, as fast as the client takes them. */
export function sendPieces(target: Writable, body: BodyPieces): void {
  target.once('close', () => body.close?.())
  /** True when more may follow at once. */
  const send = (piece: Piece | undefined): boolean => {
    if (!piece) target.end()
    else if (target.write(piece.bytes, piece.done)) return true
    else target.once('drain', sendAll)
    return false
  }
  const sendAll = (): void => {
    for (;;) {
      const piece = body.next()
      if (piece instanceof Promise) {
        piece.then(
          made => send(made) && sendAll(),
          () => target.destroy()
        )
        return
      }
      if (!send(piece)) return
    }
  }
  sendAll()
}

function sinkOf(answer: http.ServerResponse): Sink {
  return {
    write: chunk => answer.write(chunk),
    onDrain: listener => void answer.on('drain', listener),
    onClose: listener => void answer.once('close', listener),
    end: () => void answer.end()
  }
}
