/** The HTTP/1.1 edge: the one file that knows node:http. */
import http from 'node:http'
import type { Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { peerCertificates } from '../authentication/peer-certificates.js'
import { respondText } from '../endpoints/respond.js'
import { readStream } from './body.js'
import type { BodyPieces, IncomingRequest, Piece, Response, Sink } from './context.js'
import type { Handler } from './handler.js'
import { isForeignPage, isWebSocket, streamOverWebSocket, withProtocolToken } from './websocket.js'

const empty = Buffer.alloc(0)

class Http1Request implements IncomingRequest {
  readonly #message: http.IncomingMessage
  readonly headers: http.IncomingHttpHeaders
  constructor(message: http.IncomingMessage, headers = message.headers) {
    this.#message = message
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
}

export function createHttp1Server(handler: Handler): http.Server {
  const server = http.createServer({ noDelay: true, keepAlive: true, maxHeaderSize: 1024 * 1024 }, (message, answer) => {
    handler(new Http1Request(message)).then(
      response => send(response, message, answer),
      () => answer.destroy()
    )
  })
  // without a listener Node would answer as if nobody had asked for an upgrade, which is right for all but WebSockets
  server.on('upgrade', (message, socket, head) => {
    const webSocket = isWebSocket(message)
    const request = new Http1Request(message, webSocket ? withProtocolToken(message.headers) : message.headers)
    socket.on('error', () => socket.destroy())
    const answered = webSocket && isForeignPage(message.headers) ? Promise.resolve(foreignPage()) : handler(request)
    answered
      .then(response => {
        if (webSocket && response.stream) return streamOverWebSocket(response, message, socket, head)
        const answer = new http.ServerResponse(message)
        answer.shouldKeepAlive = false
        answer.assignSocket(socket as TLSSocket)
        answer.once('finish', () => socket.end())
        send(response, message, answer)
        return undefined
      })
      .catch(() => socket.destroy())
  })
  // as long as client-go keeps idle connections, and some more, so that the client is the one who closes
  server.keepAliveTimeout = 180_000
  server.headersTimeout = 32_000
  server.requestTimeout = 0
  return server
}

const foreignPage = () => respondText('403 Forbidden: a page of another origin needs a bearer token\n', 403)

function send(response: Response, message: http.IncomingMessage, answer: http.ServerResponse): void {
  const { body, stream, headers } = response
  if (answer.destroyed) return
  // an unread body would be taken for the next request
  if (
    !message.readableEnded &&
    (message.headers['content-length'] !== undefined || message.headers['transfer-encoding'] !== undefined)
  ) {
    if (response.status === 413) answer.shouldKeepAlive = false
    message.resume()
  }
  if (stream) {
    answer.writeHead(response.status, headers)
    answer.flushHeaders()
    stream(sinkOf(answer))
    return
  }
  if (body === undefined || Buffer.isBuffer(body)) {
    headers['content-length'] = String(body?.length ?? 0)
    answer.writeHead(response.status, headers)
    answer.end(message.method === 'HEAD' ? undefined : body)
    return
  }
  if (body.length !== undefined) headers['content-length'] = String(body.length)
  answer.writeHead(response.status, headers)
  if (message.method !== 'HEAD') return sendPieces(answer, body)
  body.close?.()
  answer.end()
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
