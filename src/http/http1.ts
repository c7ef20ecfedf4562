/** The HTTP/1.1 server: with http1-sink.ts, the only file that knows node:http's server. */
import type { EventEmitter } from 'node:events'
import http from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { peerCertificates } from '../certificates/peer-certificates.js'
import type { Handler } from '../chain/handler.js'
import { respondText } from '../endpoints/respond.js'
import type { Answer, BodyPieces, IncomingRequest, OpenBody, Piece } from '../request/message.js'
import { TurnQueue } from '../util/turns.js'
import { readStream } from './body.js'
import type { ConnectionLimits } from './connection-limits.js'
import type { Connections } from './connections.js'
import { keepWhilePaused } from './http1-pause.js'
import { sinkOf } from './http1-sink.js'
import { resetWhenWritten } from './reset.js'
import { answerOverWebSocket, isForeignPage, isWebSocket, withProtocolToken } from './websocket.js'

const empty = Buffer.alloc(0)

class Http1Request implements IncomingRequest {
  readonly #message: http.IncomingMessage
  readonly #connections: Connections
  /** Emits `close` at the end of the answer. */
  readonly #answer: EventEmitter
  readonly headers: http.IncomingHttpHeaders
  readonly upgrade: string | undefined
  /** Whether somebody reads the body as it comes. */
  isBodyOpen = false
  constructor(message: http.IncomingMessage, answer: EventEmitter, connections: Connections, upgrade?: string) {
    this.#message = message
    this.#answer = answer
    this.#connections = connections
    this.headers = upgrade === 'websocket' ? withProtocolToken(message.headers) : message.headers
    this.upgrade = upgrade
  }
  get method() {
    return this.#message.method!
  }
  get url() {
    const url = this.#message.url!
    // clients may send an absolute URL, as they do to proxies
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
    if (!hasBody(this.#message)) return Promise.resolve(empty)
    return readStream(this.#message, this.#message.headers['content-length'], limit)
  }
  openBody(): OpenBody | undefined {
    if (this.upgrade !== undefined || !hasBody(this.#message)) return undefined
    this.isBodyOpen = true
    const length = this.#message.headers['content-length']
    return { stream: this.#message, length: length === undefined ? undefined : Number(length) }
  }
  onClose(listener: () => void) {
    this.#answer.once('close', listener)
  }
  onAuthenticated() {
    this.#connections.authenticated(this.#message.socket)
  }
  reset() {
    resetWhenWritten(this.#message.socket as TLSSocket)
  }
}

const hasBody = ({ headers }: http.IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

export interface Http1Server {
  accept(socket: Socket): void
  /** Closes each connection as soon as it has no request in progress. */
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
  let isClosing = false
  /**
   * The answers of one turn leave together at its end. A write to a client that sleeps has to wake it, which takes longer than the write; a client
   * of several connections that is awake already takes the other answers as well.
   */
  const answers = new TurnQueue()
  const server = http.createServer(options, (message, answer) => {
    connections.settle(message.socket)
    keepWhilePaused(message.socket)
    if (isClosing) answer.shouldKeepAlive = false
    const request = new Http1Request(message, answer, connections)
    const respond = (response: Answer): void => {
      connections.settle(message.socket)
      try {
        if (request.isBodyOpen) answer.once('finish', () => discardBody(message, limits.unreadBytes))
        send(response, message, answer, request.isBodyOpen ? undefined : limits.unreadBytes)
      } catch {
        answer.destroy()
        response.ended()
      }
    }
    handler(request).then(
      response => answers.add(() => respond(response)),
      () => answer.destroy()
    )
  })
  // no limit beyond the bytes: by default Node silently drops headers after the 1,000th
  server.maxHeadersCount = 0
  // the server has no port of its own, and without this event it would never check for slow connections
  server.emit('listening')
  // the error texts of Go's HTTP server
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { _httpMessage: answer } = socket as { _httpMessage?: http.ServerResponse }
    const status = parserErrors[error.code ?? ''] ?? '400 Bad Request'
    if (socket.writable && !answer?.headersSent)
      socket.write(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${status}`)
    socket.destroy(error)
  })
  server.on('upgrade', (message, socket, head) => {
    const protocol = isWebSocket(message) ? 'websocket' : message.headers.upgrade!.toLowerCase()
    socket.on('error', () => socket.destroy())
    const answered =
      protocol === 'websocket' && isForeignPage(message.headers)
        ? Promise.resolve(foreignPage())
        : handler(new Http1Request(message, socket, connections, protocol))
    answered
      .then(response => {
        if (response.upgrade && response.isPassedOn) return handOver(response, socket, head)
        const isOurs = protocol === 'websocket' && response.status < 400
        if (isOurs && (response.stream || response.upgrade)) return answerOverWebSocket(response, message, socket, head)
        if (response.upgrade) return switchProtocol(response, socket, head)
        const answer = new http.ServerResponse(message)
        answer.shouldKeepAlive = false
        answer.assignSocket(socket as TLSSocket)
        answer.once('finish', () => socket.end())
        return send(response, message, answer, limits.unreadBytes)
      })
      .catch(() => socket.destroy())
  })
  return {
    accept: socket => void server.emit('connection', socket),
    close() {
      isClosing = true
      server.close()
      server.closeIdleConnections()
      // those that answer now are idle later
      const timer = setInterval(() => server.closeIdleConnections(), closingMs).unref()
      void connections.none().then(() => clearInterval(timer))
    }
  }
}

/** Milliseconds between looks for connections whose requests have ended since the server began to close. */
const closingMs = 50

const parserErrors: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout'
}

const foreignPage = (): Answer => ({
  ...respondText('403 Forbidden: a page of another origin needs a bearer token\n', 403),
  takeWithin: foreignPageMs,
  ended() {}
})

/** Milliseconds in which a page of another origin must read the refusal. */
const foreignPageMs = 5000

/** Answers 101, and passes on the connection. */
function switchProtocol(response: Answer, socket: Duplex, head: Buffer): void {
  const headers = Object.entries({ ...response.headers, connection: 'Upgrade' })
  const lines = headers.flatMap(([name, value]) => [value].flat().map(one => `${name}: ${one}\r\n`))
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
  handOver(response, socket, head)
}

/** Passes on the connection with the bytes that the client has sent already. */
function handOver(response: Answer, socket: Duplex, head: Buffer): void {
  if (head.length > 0) socket.unshift(head)
  socket.once('close', () => response.ended())
  response.upgrade!.open(socket, '')
}

/** `unreadBytes` limits what is read of a body that nobody has taken; undefined when somebody reads the body. */
function send(
  response: Answer,
  message: http.IncomingMessage,
  answer: http.ServerResponse,
  unreadBytes: number | undefined
): void {
  const { body, stream, headers } = response
  if (answer.destroyed) return response.ended()
  // an unread body would be parsed as the next request
  if (unreadBytes !== undefined && !message.readableEnded && hasBody(message)) {
    if (response.status === 413) answer.shouldKeepAlive = false
    discardBody(message, unreadBytes)
  }
  if (stream) {
    answer.writeHead(response.status, headers)
    answer.flushHeaders()
    answer.once('close', () => response.ended())
    return stream(sinkOf(answer))
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
  else sendPieces(answer, body, response.ended)
  if (prompt) response.ended()
}

function discardBody(message: http.IncomingMessage, limit: number): void {
  if (message.readableEnded) return
  let unread = 0
  message.unpipe()
  message.on('data', (chunk: Buffer) => {
    unread += chunk.length
    if (unread > limit) message.socket.destroy()
  })
  message.resume()
}

/** Answers up to this many bytes fit into the buffers of the connection, so they count as taken at once. */
export const promptBytes = 64 * 1024

/** What takes the body of an answer: Node's streams, and those of HTTP/2. */
export interface BodyTarget {
  write(bytes: Buffer, done?: () => void): boolean
  end(): void
  destroy(): void
  once(event: 'close' | 'drain', listener: () => void): unknown
}

/** Destroys an answer that its client does not read in time. */
export function untilTaken(answer: BodyTarget, { takeWithin, ended }: Answer): void {
  const timer = Number.isFinite(takeWithin) ? setTimeout(() => cutOff(answer, ended), takeWithin) : undefined
  answer.once('close', () => {
    clearTimeout(timer)
    ended()
  })
}

function cutOff(answer: BodyTarget, ended: Answer['ended']): void {
  ended(true)
  answer.destroy()
}

/** Sends one piece after the other, as fast as the client reads them. */
export function sendPieces(target: BodyTarget, body: BodyPieces, ended: Answer['ended']): void {
  target.once('close', () => body.close?.())
  /** Returns whether the next piece may follow at once. */
  const send = (piece: Piece | undefined): boolean => {
    if (!piece) target.end()
    else if (target.write(piece.bytes, piece.done)) return true
    else target.once('drain', sendAll)
    return false
  }
  const next = (): Piece | Promise<Piece | undefined> | undefined => {
    try {
      return body.next()
    } catch (error) {
      // an item could not be read: the store is closed
      return Promise.reject(error)
    }
  }
  const sendAll = (): void => {
    for (;;) {
      const piece = next()
      if (piece instanceof Promise) {
        piece.then(
          made => send(made) && sendAll(),
          () => cutOff(target, ended)
        )
        return
      }
      if (!send(piece)) return
    }
  }
  sendAll()
}
