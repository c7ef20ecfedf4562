/** One connection of HTTP/1.1: its requests, one after the other, and how long each part of them may take. */
import type { Socket } from 'node:net'
import { Gathered } from '../body.js'
import type { ConnectionLimits } from '../connection-limits.js'
import type { Turns } from '../turns.js'
import { Exchange } from './exchange.js'
import { readHead } from './head.js'
import { badRequest, headTooLarge, Refusal, tooLate } from './refusal.js'

const headEnd = Buffer.from('\r\n\r\n')
const lineFeed = 0x0a
const carriageReturn = 0x0d
const nothing = Buffer.alloc(0)

/** Bytes of a body that may wait for their reader. */
const bodyWindow = 64 * 1024
/** Milliseconds for which a connection that ends takes what its client still sends: closed at once, it would lose the last answer. */
const lingering = 500

export interface ConnectionHandler {
  request(exchange: Exchange): void
  /** A request has come, or its answer has left. `waiting`: bytes that have come, but belong to later requests. */
  settled(connection: Connection, waiting: number): void
  /** The connection has ended, or has been handed over. */
  over(connection: Connection): void
}

/**
 * Begins a request when the answer to the one before has left: whoever sends many at once waits for the answers in their order, and nothing
 * of the later ones is kept but the bytes that had come already. Others have their turns in between.
 */
export class Connection {
  readonly socket: Socket
  readonly #limits: ConnectionLimits
  readonly #handler: ConnectionHandler
  readonly #turns: Turns
  /** What has come and has not been read. */
  #waiting: Buffer = nothing
  /** Holds what waits, where it has come in several pieces. */
  readonly #gathered = new Gathered()
  /** How far the bytes that wait have been searched for the end of a head. */
  #searched = 0
  /** The request whose answer has not left, or whose body has not come to its end. */
  #exchange: Exchange | undefined
  /** When the client has to have sent more, as a time of performance.now(). */
  #deadline: number
  /** When the request that comes in began. */
  #began = 0
  /** Bytes of a body that nobody wants. */
  #discarded = 0
  #state: 'open' | 'closing' | 'ending' | 'over' = 'open'
  #isScheduled = false

  constructor(socket: Socket, limits: ConnectionLimits, turns: Turns, handler: ConnectionHandler) {
    this.socket = socket
    this.#limits = limits
    this.#turns = turns
    this.#handler = handler
    this.#deadline = performance.now() + limits.headersTimeout
    socket.on('data', this.#received)
    socket.on('drain', this.#drained)
    socket.on('error', this.#failed)
    socket.on('end', this.#ended)
    socket.on('close', this.#over)
  }

  /** Whether the connection takes no more requests. */
  get isClosing(): boolean {
    return this.#state !== 'open'
  }

  /** Takes no more requests. Ends the connection when the one in progress has been answered. */
  close(): void {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    if (!this.#exchange && this.#waiting.length === 0) this.#end()
  }

  /** To be called now and then: gives up clients that are too slow. */
  check(now: number): void {
    if (now < this.#deadline) return
    if (this.#state === 'ending') this.socket.destroy()
    // between requests, the client has nothing to be told
    else if (!this.#exchange && this.#waiting.length === 0 && this.#began > 0) this.#end()
    else this.#refuse(tooLate())
  }

  /** Gives the connection away, with the bytes that have come after the request. */
  release(): Buffer {
    const { socket } = this
    socket.off('data', this.#received).off('drain', this.#drained).off('error', this.#failed)
    socket.off('end', this.#ended).off('close', this.#over)
    // reads again when somebody listens
    ;(socket as { readableFlowing: boolean | null }).readableFlowing = null
    const waiting = this.#waiting
    this.#waiting = nothing
    this.#state = 'over'
    this.#exchange = undefined
    this.#handler.over(this)
    return waiting
  }

  // Exchanges call these.

  /** The whole answer has left, or waits in the buffers of the connection. */
  answered(exchange: Exchange): void {
    if (exchange.isClosed) return
    exchange.closed()
    if (exchange !== this.#exchange) return
    if (!exchange.keepAlive) return this.#end()
    if (exchange.hasArrived) this.#done()
    // the body would be taken for the next request
    else this.#continue()
  }

  /** `bytes` of the body have been read. */
  consumed(exchange: Exchange, bytes: number): void {
    const isFull = exchange.unread >= bodyWindow
    exchange.unread -= bytes
    if (isFull && exchange.unread < bodyWindow) this.#continue()
  }

  // What comes in.

  readonly #received = (chunk: Buffer): void => {
    if (this.#state === 'ending') return this.#discard(chunk.length)
    if (this.#waiting.length === 0) this.#waiting = chunk
    else {
      if (this.#gathered.length === 0) this.#gathered.add(this.#waiting)
      this.#gathered.add(chunk)
      this.#waiting = this.#gathered.all
    }
    if (this.#isScheduled) this.socket.pause()
    else this.#read()
  }

  /** What is left of the bytes that have come. */
  #keep(rest: Buffer): void {
    this.#waiting = rest
    if (this.#gathered.length > 0) this.#gathered.take()
  }

  readonly #drained = (): void => {
    if (this.#exchange && !this.#exchange.isClosed) this.#exchange.emit('drain')
    else if (this.#waiting.length > 0) this.#continue()
  }

  readonly #failed = (): void => void this.socket.destroy()

  /** The client sends nothing more. One that still waits for an answer counts as gone. */
  readonly #ended = (): void => {
    const waits = this.#exchange ? !this.#exchange.isWritten : this.#waiting.length > 0
    if (this.#state !== 'ending' && waits) this.socket.destroy()
  }

  readonly #over = (): void => {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#waiting = nothing
    this.#exchange?.closed()
    this.#handler.over(this)
  }

  #read(): void {
    try {
      if (this.#readWaiting()) {
        if (this.socket.isPaused()) this.socket.resume()
      } else this.socket.pause()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#refuse(error)
    }
  }

  /** Returns false when what waits has to wait on. */
  #readWaiting(): boolean {
    while (this.#waiting.length > 0 && (this.#state === 'open' || this.#state === 'closing')) {
      const exchange = this.#exchange
      if (!exchange) {
        // a client that does not take its answers gets no further ones
        if (this.socket.writableNeedDrain) return false
        if (!this.#readHead()) return true
      } else if (!exchange.hasArrived && (exchange.isClosed || exchange.unread < bodyWindow)) this.#readBody(exchange)
      else return false
    }
    return true
  }

  /** Returns whether there was a whole head, whose request has begun. */
  #readHead(): boolean {
    const bytes = this.#waiting
    if (this.#searched === 0) this.#startClock()
    const end = bytes.indexOf(headEnd, Math.max(0, this.#searched - headEnd.length + 1))
    if ((end < 0 ? bytes.length : end) > this.#limits.headerBytes) throw headTooLarge()
    if (end < 0) {
      // a line that ends otherwise is the last one of a head, for its client
      for (let at = bytes.indexOf(lineFeed, this.#searched); at >= 0; at = bytes.indexOf(lineFeed, at + 1))
        if (bytes[at - 1] !== carriageReturn) throw badRequest()
      this.#searched = bytes.length
      return false
    }
    // some clients send an empty line after a body
    const start = bytes[0] === carriageReturn && bytes[1] === lineFeed ? 2 : 0
    const head = readHead(bytes.toString('latin1', start, end))
    this.#keep(bytes.subarray(end + headEnd.length))
    this.#searched = 0
    this.#begin(new Exchange(this, head, this.#limits.headerBytes))
    return true
  }

  #startClock(): void {
    this.#began = performance.now()
    this.#deadline = this.#began + this.#limits.headersTimeout
  }

  #begin(exchange: Exchange): void {
    this.#exchange = exchange
    this.#discarded = 0
    this.#deadline = exchange.hasArrived ? Number.POSITIVE_INFINITY : this.#began + this.#limits.requestTimeout
    this.#handler.settled(this, this.#waiting.length)
    this.#handler.request(exchange)
  }

  #readBody(exchange: Exchange): void {
    const bytes = this.#waiting
    const end = exchange.read(bytes, 0, piece => {
      if (exchange.isClosed) return this.#discard(piece.length)
      exchange.unread += piece.length
      exchange.body!.add(piece)
    })
    this.#keep(bytes.subarray(end))
    if (!exchange.hasArrived) return
    this.#deadline = Number.POSITIVE_INFINITY
    if (exchange.isClosed) this.#done()
    else exchange.body!.end()
  }

  /** Takes bytes that nobody wants. A client that sends many of them loses the connection. */
  #discard(bytes: number): void {
    this.#discarded += bytes
    if (this.#discarded > this.#limits.unreadBytes) this.socket.destroy()
  }

  // From one request to the next.

  /** A request has been answered, and the connection is ready for the next one. */
  #done(): void {
    this.#exchange = undefined
    this.#deadline = performance.now() + this.#limits.idleTimeout
    this.#handler.settled(this, this.#waiting.length)
    if (this.#state === 'closing') this.#end()
    else if (this.#waiting.length > 0) this.#continue()
    else if (this.socket.isPaused()) this.socket.resume()
  }

  /** Goes on with what waits, in a later turn. */
  #continue(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#turns.add(this.#goOn)
  }

  readonly #goOn = (): void => {
    this.#isScheduled = false
    if (this.#state === 'open' || this.#state === 'closing') this.#read()
  }

  // The end.

  #refuse({ status, body }: Refusal): void {
    const exchange = this.#exchange
    if (exchange && !exchange.isClosed && exchange.hasAnswered) return void this.socket.destroy()
    this.socket.write(`HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${body}`)
    this.#end()
    exchange?.closed()
  }

  /** Ends the connection after what has been written. */
  #end(): void {
    if (this.#state === 'ending' || this.#state === 'over') return
    const { socket } = this
    const isUnread = this.#waiting.length > 0 || (this.#exchange && !this.#exchange.hasArrived)
    this.#state = 'ending'
    this.#keep(nothing)
    this.#discarded = 0
    this.#deadline = performance.now() + this.#limits.requestTimeout
    socket.end(() => {
      if (isUnread) this.#deadline = performance.now() + lingering
      else socket.destroy()
    })
    socket.resume()
  }
}
