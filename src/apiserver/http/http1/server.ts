/** Serves HTTP/1.1 with its own protocol engine: Node's works on all requests at once that a connection brings (docs/dependencies.md). */
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { Answer, Handler, IncomingRequest } from '../../../apimachinery/request/message.js'
import { peerCertificates } from '../../../transport/certificates/peer-certificates.js'
import { TurnQueue } from '../../../util/turns.js'
import { promptBytes, sendPieces, untilTaken } from '../answer-body.js'
import type { ConnectionLimits } from '../connection-limits.js'
import type { Connections } from '../connections.js'
import { resetWhenWritten } from '../reset.js'
import { Turns } from '../turns.js'
import { answerOverWebSocket, isWebSocket, withProtocolToken } from '../websocket.js'
import { answerHead } from './answer-head.js'
import { Connection } from './connection.js'
import type { Exchange } from './exchange.js'
import { sinkOf } from './sink.js'

const empty = Buffer.alloc(0)

class Http1Request implements IncomingRequest {
  readonly #exchange: Exchange
  readonly #connections: Connections
  readonly headers: IncomingRequest['headers']
  constructor(exchange: Exchange, connections: Connections) {
    this.#exchange = exchange
    this.#connections = connections
    this.headers = isWebSocket(exchange.head) ? withProtocolToken(exchange.head.headers) : exchange.head.headers
  }
  get method() {
    return this.#exchange.head.method
  }
  get url() {
    return this.#exchange.head.url
  }
  get upgrade() {
    return this.#exchange.head.upgrade
  }
  get #socket() {
    return this.#exchange.connection.socket
  }
  get remoteAddress() {
    return this.#socket.remoteAddress ?? ''
  }
  rawHeaders() {
    return this.#exchange.head.raw
  }
  peerCertificates() {
    return peerCertificates(this.#socket as TLSSocket)
  }
  readBody(limit: number) {
    const { body, head } = this.#exchange
    if (!body) return Promise.resolve(empty)
    const whole = body.collect(head.headers['content-length'], limit)
    this.#exchange.wantsBody()
    return whole
  }
  openBody() {
    this.#exchange.wantsBody()
    const { body, head } = this.#exchange
    return body && { stream: body.open(), length: head.framing === 'chunked' ? undefined : head.framing }
  }
  onClose(listener: () => void) {
    this.#exchange.once('close', listener)
  }
  onAuthenticated() {
    this.#connections.authenticated(this.#socket)
  }
  reset() {
    resetWhenWritten(this.#socket as TLSSocket)
  }
}

export interface Http1Server {
  accept(socket: Socket): void
  /** Closes each connection as soon as it has no request in progress. */
  close(): void
}

/** `turns`: where requests wait that came together with others. */
export function createHttp1Server(
  handler: Handler,
  connections: Connections,
  limits: ConnectionLimits,
  turns = new Turns()
): Http1Server {
  const open = new Set<Connection>()
  let isClosing = false
  let checking: NodeJS.Timeout | undefined
  /**
   * The answers of one turn leave together at its end. A write to a client that sleeps has to wake it, which takes longer than the write; a client
   * of several connections that is awake already takes the other answers as well.
   */
  const answers = new TurnQueue()
  return {
    accept(socket) {
      const connection = new Connection(socket, limits, turns, { request, settled, over })
      open.add(connection)
      if (isClosing) connection.close()
      checking ??= setInterval(check, limits.checkInterval).unref()
    },
    close() {
      isClosing = true
      for (const connection of open) connection.close()
    }
  }

  function check(): void {
    const now = performance.now()
    for (const connection of open) connection.check(now)
  }

  function over(connection: Connection): void {
    open.delete(connection)
    if (open.size > 0) return
    clearInterval(checking)
    checking = undefined
  }

  function settled({ socket }: Connection, waiting: number): void {
    connections.settle(socket, waiting)
  }

  function request(exchange: Exchange): void {
    handler(new Http1Request(exchange, connections)).then(
      response => answers.add(() => respond(response, exchange)),
      () => exchange.destroy()
    )
  }
}

function respond(response: Answer, exchange: Exchange): void {
  try {
    if (exchange.isClosed) return response.ended()
    if (!isSwitch(response, exchange)) return send(response, exchange)
    switchOver(response, exchange).catch(() => exchange.destroy())
  } catch {
    exchange.destroy()
    response.ended(true)
  }
}

/** Whether the connection goes on with another protocol. The answer of another server is a plain one, unless it switches itself. */
const isSwitch = ({ status, stream, upgrade, isPassedOn }: Answer, { head }: Exchange): boolean =>
  head.upgrade !== undefined &&
  (upgrade !== undefined || (stream !== undefined && !isPassedOn && status < 400 && isWebSocket(head)))

/** Hands the connection over to another protocol, with the bytes that the client has sent already. */
async function switchOver(response: Answer, exchange: Exchange): Promise<void> {
  const { connection, head } = exchange
  const { socket } = connection
  const early = connection.release()
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    response.ended()
    exchange.closed()
  })
  if (response.isPassedOn) return handOver(response, socket, early)
  if (isWebSocket(head)) return answerOverWebSocket(response, head, socket, early)
  socket.write(answerHead(101, response.headers, 'connection: Upgrade\r\n'), 'latin1')
  handOver(response, socket, early)
}

function handOver(response: Answer, socket: Duplex, early: Buffer): void {
  if (early.length > 0) socket.unshift(early)
  response.upgrade!.open(socket, '')
}

function send(response: Answer, exchange: Exchange): void {
  const { status, body, stream, headers } = response
  if (stream) {
    exchange.respond(status, headers)
    exchange.once('close', () => response.ended())
    return stream(sinkOf(exchange))
  }
  if (body === undefined || (Buffer.isBuffer(body) && body.length <= promptBytes)) {
    exchange.answer(status, headers, body)
    return response.ended()
  }
  if (exchange.head.method === 'HEAD') {
    if (!Buffer.isBuffer(body)) body.close?.()
    exchange.respond(status, headers, body.length)
    exchange.end()
    return response.ended()
  }
  const isPrompt = body.length !== undefined && body.length <= promptBytes
  if (!isPrompt) untilTaken(exchange, response)
  exchange.respond(status, headers, body.length)
  if (Buffer.isBuffer(body)) {
    exchange.write(body)
    exchange.end()
  } else sendPieces(exchange, body, response.ended)
  if (isPrompt) response.ended()
}
