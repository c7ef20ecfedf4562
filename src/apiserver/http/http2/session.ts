/** One connection of HTTP/2 (RFC 9113): its streams, their windows, and the frames in both directions. */
import type { TLSSocket } from 'node:tls'
import { BriefMap } from '../../../util/brief.js'
import type { ConnectionLimits } from '../connection-limits.js'
import type { Turns } from '../turns.js'
import { Allowance } from './allowance.js'
import { ConnectionError, errorCode } from './errors.js'
import { FrameReader, flag, frame, frameType, withoutPadding } from './frames.js'
import { HeaderDecoder } from './header-decoder.js'
import { readRequestHeaders, readTrailers } from './request-headers.js'
import { Sender } from './sender.js'
import { defaultWindow, greatestWindow, readSettings, setting, settingsFrame } from './settings.js'
import { Stream } from './stream.js'

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** Bytes of a request's body that may wait for their reader; as kube-apiserver has it, a quarter of a MiB covers nearly all bodies. */
const streamWindow = 256 * 1024
/** The same for all requests of a connection together. */
const connectionWindow = 4 * 1024 * 1024

/** Requests of one read that begin at once in any case: so few take less than a wait would cost. */
const surelyAtOnce = 10

/** Milliseconds in which a client that has received everything may close the connection itself. */
const lingering = 5000

export interface SessionHandler {
  request(stream: Stream): void
  /** The connection has ended, with all of its streams. */
  close(): void
}

interface HeaderBlock {
  readonly stream: number
  readonly endsStream: boolean
  readonly parts: Buffer[]
  bytes: number
}

/** So many bytes hold a few requests, and are read at once. */
const promptChunk = 1024

export class Session {
  readonly socket: TLSSocket
  readonly #limits: ConnectionLimits
  readonly #turns: Turns
  readonly #handler: SessionHandler
  readonly #sender: Sender
  readonly #reader = new FrameReader()
  readonly #decoder = new HeaderDecoder()
  readonly #streams = new BriefMap<number, Stream>()
  readonly #allowance = new Allowance()
  /** What has come and waits for its turn. */
  readonly #held: Buffer[] = []
  #prefaceMissing = preface.length
  #hasSettings = false
  /** Headers whose block has not come to its end. Nothing else may come before. */
  #block: HeaderBlock | undefined
  #lastStream = 0
  /** Requests whose handler has not answered, with those whose client has given up. */
  #running = 0
  /** Requests that wait for their turn. */
  readonly #waiting = new Set<Stream>()
  /** How many have begun of those that came in one read. */
  #begun = 0

  /** Bytes of DATA that the client may still send on the connection, and those that it may send again. */
  #receiveWindow = connectionWindow
  #taken = 0

  /** The window for DATA to the client that a stream begins with. */
  #initialSendWindow = defaultWindow

  #pings: (() => void)[] = []
  #isLeaving = false
  #isOver = false
  #idle: NodeJS.Timeout | undefined

  constructor(socket: TLSSocket, limits: ConnectionLimits, turns: Turns, handler: SessionHandler) {
    this.socket = socket
    this.#limits = limits
    this.#turns = turns
    this.#handler = handler
    this.#sender = new Sender(socket, limits.requestTimeout, stream => this.#answered(stream))
    socket.on('data', chunk => this.#received(chunk))
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#over())
    this.#sender.send(
      settingsFrame([
        [setting.maxConcurrentStreams, limits.concurrentStreams],
        [setting.initialWindowSize, streamWindow],
        [setting.maxHeaderListSize, limits.headerBytes]
      ])
    )
    this.#sender.send(windowUpdate(0, connectionWindow - defaultWindow))
    this.#rest()
  }

  /** Calls `answered` when the client has received everything that was sent before, or at the end of the connection. */
  ping(answered: () => void): void {
    if (this.#isOver) return answered()
    this.#pings.push(answered)
    this.#sender.send(frame(frameType.ping, 0, 0, 8, (into, at) => into.fill(0, at)))
  }

  /** Takes no new requests. Closes the connection when those in progress have been answered. */
  close(): void {
    if (this.#isLeaving) return
    this.#leave(errorCode.none)
    this.#endWhenDone()
  }

  /** Closes a connection that takes no new requests, when the last one in progress has been answered. */
  #endWhenDone(): void {
    if (this.#isLeaving && this.#streams.size === 0) this.#end()
  }

  // Streams call these.

  /** The stream has something to send. */
  ready(stream: Stream): void {
    if (!stream.isClosed) this.#sender.ready(stream)
  }

  /** `bytes` of the stream's body have been read. */
  consumed(stream: Stream, bytes: number): void {
    if (bytes === 0 || stream.isClosed) return
    stream.unread -= bytes
    this.#giveBack(bytes)
    if (!stream.body?.isOpen) return
    stream.owed += bytes
    if (stream.owed < streamWindow / 2) return
    this.#sender.send(windowUpdate(stream.id, stream.owed))
    stream.owed = 0
  }

  /** Gives the stream up. */
  reset(stream: Stream, code: number): void {
    if (stream.isClosed) return
    this.#sender.sendReset(stream.id, code)
    this.#forget(stream)
  }

  /** The handler of a request has come to its end. */
  handled(): void {
    this.#running--
  }

  // What comes in.

  /** Frames that need no answer cost time as well: what comes late in a turn of the event loop is read in a later one, in turns with other connections. */
  #received(chunk: Buffer): void {
    if (chunk.length <= promptChunk && this.#held.length === 0) return this.#read(chunk)
    if (this.#held.length === 0 && !this.#turns.isLate()) return this.#read(chunk)
    this.#held.push(chunk)
    if (this.#held.length > 1) return
    this.socket.pause()
    this.#turns.add(this.#readHeld)
  }

  readonly #readHeld = (): void => {
    const chunk = this.#held.shift()
    if (chunk) this.#read(chunk)
    if (this.#held.length > 0 && !this.#isOver) return this.#turns.add(this.#readHeld)
    this.#held.length = 0
    this.socket.resume()
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return
    this.#begun = 0
    try {
      if (this.#prefaceMissing > 0) chunk = this.#readPreface(chunk)
      this.#reader.read(chunk, this.#onFrame)
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      this.#fail(error.code)
    }
  }

  #readPreface(chunk: Buffer): Buffer {
    const start = preface.length - this.#prefaceMissing
    const part = chunk.subarray(0, this.#prefaceMissing)
    if (!part.equals(preface.subarray(start, start + part.length))) throw new ConnectionError(errorCode.protocol, 'no HTTP/2')
    this.#prefaceMissing -= part.length
    return chunk.subarray(part.length)
  }

  readonly #onFrame = (type: number, flags: number, id: number, payload: Buffer): void => {
    if (this.#isOver) return
    if (!this.#hasSettings && type !== frameType.settings) throw protocolError('a first frame other than SETTINGS')
    if (this.#block && (type !== frameType.continuation || id !== this.#block.stream))
      throw protocolError('an incomplete header block')
    switch (type) {
      case frameType.data:
        return this.#data(flags, id, payload)
      case frameType.headers:
        return this.#headers(flags, id, payload)
      case frameType.priority:
        return this.#priority(id, payload)
      case frameType.rstStream:
        return this.#resetByClient(id, payload)
      case frameType.settings:
        return this.#settings(flags, id, payload)
      case frameType.pushPromise:
        throw protocolError('a push from a client')
      case frameType.ping:
        return this.#ping(flags, id, payload)
      case frameType.goaway:
        return this.#goaway(id)
      case frameType.windowUpdate:
        return this.#windowUpdate(id, payload)
      case frameType.continuation:
        return this.#continuation(flags, payload)
      default:
        // unknown types are for extensions
        this.#allowance.use()
    }
  }

  #data(flags: number, id: number, payload: Buffer): void {
    if (id === 0) throw protocolError('DATA without a stream')
    this.#receiveWindow -= payload.length
    if (this.#receiveWindow < 0) throw new ConnectionError(errorCode.flowControl, 'more DATA than the window admits')
    const data = withoutPadding(flags, payload)
    const stream = this.#streams.get(id)
    if (!stream?.body?.isOpen) {
      this.#giveBack(payload.length)
      return this.#unexpected(id)
    }
    const ends = (flags & flag.endStream) !== 0
    if (payload.length === 0 && !ends) this.#allowance.use()
    stream.unread += payload.length
    // the client was told of a window of at least streamWindow - unread - owed
    if (stream.unread + stream.owed > streamWindow) return this.reset(stream, errorCode.flowControl)
    stream.received += data.length
    const padding = payload.length - data.length
    if (padding > 0) this.consumed(stream, padding)
    if (!hasPromisedLength(stream, ends)) return this.reset(stream, errorCode.protocol)
    if (data.length > 0) stream.body.add(data)
    if (ends) stream.body.end()
  }

  #headers(flags: number, id: number, payload: Buffer): void {
    if (id % 2 === 0) throw protocolError(`HEADERS on the stream ${id}`)
    let fragment = withoutPadding(flags, payload)
    if (flags & flag.priority) {
      if (fragment.length < 5) throw new ConnectionError(errorCode.frameSize, 'HEADERS without their priority')
      if ((fragment.readUInt32BE(0) & 0x7fffffff) === id) throw protocolError('a stream that depends on itself')
      fragment = fragment.subarray(5)
    }
    this.#block = { stream: id, endsStream: (flags & flag.endStream) !== 0, parts: [], bytes: 0 }
    this.#addToBlock(flags, fragment)
  }

  #continuation(flags: number, payload: Buffer): void {
    if (!this.#block) throw protocolError('CONTINUATION without HEADERS')
    this.#allowance.use()
    this.#addToBlock(flags, payload)
  }

  #addToBlock(flags: number, fragment: Buffer): void {
    const block = this.#block!
    block.parts.push(fragment)
    block.bytes += fragment.length
    if (block.bytes > this.#limits.headerBytes) throw tooMuch('a header block is too large')
    if ((flags & flag.endHeaders) === 0) return
    this.#block = undefined
    this.#completeHeaders(block, block.parts.length === 1 ? fragment : Buffer.concat(block.parts, block.bytes))
  }

  #completeHeaders({ stream: id, endsStream }: HeaderBlock, block: Buffer): void {
    const stream = this.#streams.get(id)
    if (stream) return this.#trailers(stream, endsStream, block)
    if (id <= this.#lastStream) throw new ConnectionError(errorCode.streamClosed, `HEADERS on the closed stream ${id}`)
    this.#lastStream = id
    const found = readRequestHeaders(this.#decoder, block, this.#limits)
    // the client sends requests that came after GOAWAY elsewhere
    if (this.#isLeaving) return
    if (found === 'malformed') return this.#refuse(id, errorCode.protocol)
    if (found === 'too large') return this.#refuse(id, errorCode.enhanceYourCalm)
    const { concurrentStreams } = this.#limits
    if (this.#streams.size >= concurrentStreams || this.#running >= 2 * concurrentStreams)
      return this.#refuse(id, errorCode.refusedStream)
    if (endsStream && Number(found.headers['content-length'] ?? 0) !== 0) return this.#refuse(id, errorCode.protocol)
    const opened = new Stream(this, id, found, !endsStream, this.#initialSendWindow)
    this.#streams.set(id, opened)
    // by how much it sends, a connection must not keep others waiting
    if (this.#waiting.size === 0 && (this.#begun < surelyAtOnce || this.#turns.isFree())) {
      this.#begun++
      return this.#begin(opened)
    }
    this.#waiting.add(opened)
    if (this.#waiting.size === 1) this.#turns.add(this.#beginNext)
  }

  #begin(stream: Stream): void {
    this.#running++
    this.#handler.request(stream)
  }

  /** Begins a request that waits, in a later turn: others have theirs in between. */
  readonly #beginNext = (): void => {
    const [next] = this.#waiting
    if (!next) return
    this.#waiting.delete(next)
    if (this.#waiting.size > 0) this.#turns.add(this.#beginNext)
    this.#begin(next)
  }

  #trailers(stream: Stream, endsStream: boolean, block: Buffer): void {
    const isSound = readTrailers(this.#decoder, block)
    if (!stream.body?.isOpen) return this.reset(stream, errorCode.streamClosed)
    if (!isSound || !endsStream || !hasPromisedLength(stream, true)) return this.reset(stream, errorCode.protocol)
    stream.body.end()
  }

  /** Answers frames on a stream that takes none of their kind. */
  #unexpected(id: number): void {
    if (id > this.#lastStream) throw protocolError(`a frame on the stream ${id}, which has not begun`)
    this.#refuse(id, errorCode.streamClosed)
  }

  #refuse(id: number, code: number): void {
    this.#allowance.use()
    const stream = this.#streams.get(id)
    if (stream) this.reset(stream, code)
    else this.#sender.sendReset(id, code)
  }

  #priority(id: number, payload: Buffer): void {
    if (id === 0) throw protocolError('PRIORITY without a stream')
    if (payload.length !== 5) return this.#refuse(id, errorCode.frameSize)
    // priorities mean nothing any more (RFC 9113, section 5.3), but such a one was never allowed
    if ((payload.readUInt32BE(0) & 0x7fffffff) === id) this.#refuse(id, errorCode.protocol)
  }

  #resetByClient(id: number, payload: Buffer): void {
    if (payload.length !== 4) throw new ConnectionError(errorCode.frameSize, 'RST_STREAM of a wrong size')
    if (id === 0 || id > this.#lastStream) throw protocolError(`RST_STREAM for the stream ${id}`)
    this.#allowance.use()
    const stream = this.#streams.get(id)
    if (stream) this.#forget(stream)
  }

  #settings(flags: number, id: number, payload: Buffer): void {
    this.#hasSettings = true
    if (id !== 0) throw protocolError('SETTINGS for a stream')
    if (flags & flag.ack && payload.length > 0) throw new ConnectionError(errorCode.frameSize, 'SETTINGS of a wrong size')
    if (flags & flag.ack) return
    this.#allowance.use()
    const window = readSettings(payload).get(setting.initialWindowSize) ?? this.#initialSendWindow
    const change = window - this.#initialSendWindow
    this.#initialSendWindow = window
    if (change !== 0) for (const stream of [...this.#streams.values()]) this.#widen(stream, change)
    this.#sender.send(frame(frameType.settings, flag.ack, 0, 0))
  }

  #ping(flags: number, id: number, payload: Buffer): void {
    if (id !== 0) throw protocolError('PING for a stream')
    if (payload.length !== 8) throw new ConnectionError(errorCode.frameSize, 'PING of a wrong size')
    if (flags & flag.ack) return this.#pings.shift()?.()
    this.#allowance.use()
    this.#sender.send(frame(frameType.ping, flag.ack, 0, 8, (into, at) => payload.copy(into, at)))
  }

  #goaway(id: number): void {
    if (id !== 0) throw protocolError('GOAWAY for a stream')
    this.close()
  }

  #windowUpdate(id: number, payload: Buffer): void {
    if (payload.length !== 4) throw new ConnectionError(errorCode.frameSize, 'WINDOW_UPDATE of a wrong size')
    const increment = payload.readUInt32BE(0) & 0x7fffffff
    if (id === 0) {
      if (increment === 0) throw protocolError('WINDOW_UPDATE by 0')
      return this.#sender.widen(increment)
    }
    if (id > this.#lastStream) throw protocolError(`WINDOW_UPDATE for the stream ${id}, which has not begun`)
    const stream = this.#streams.get(id)
    if (increment === 0) return this.#refuse(id, errorCode.protocol)
    if (stream) this.#widen(stream, increment)
  }

  #widen(stream: Stream, bytes: number): void {
    const { outgoing } = stream
    outgoing.window += bytes
    if (outgoing.window > greatestWindow) return this.reset(stream, errorCode.flowControl)
    if (outgoing.bytes > 0 && outgoing.window > 0) this.ready(stream)
  }

  /** Lets the client send as many bytes more. */
  #giveBack(bytes: number): void {
    this.#taken += bytes
    if (this.#taken < connectionWindow / 4) return
    this.#sender.send(windowUpdate(0, this.#taken))
    this.#receiveWindow += this.#taken
    this.#taken = 0
  }

  /** The whole answer has left. What is missing of the request is not needed. */
  #answered(stream: Stream): void {
    if (stream.body?.isOpen) this.#sender.sendReset(stream.id, errorCode.none)
    this.#forget(stream)
  }

  // The end.

  #forget(stream: Stream): void {
    this.#streams.delete(stream.id)
    this.#waiting.delete(stream)
    this.#sender.forget(stream)
    stream.closed()
    if (stream.unread > 0) this.#giveBack(stream.unread)
    if (this.#streams.size > 0 || this.#isOver) return
    this.#rest()
    this.#endWhenDone()
  }

  /** Ends the connection when no request comes for some time. As in Go's server, pings are not requests. */
  #rest(): void {
    if (this.#idle) return void this.#idle.refresh()
    this.#idle = setTimeout(() => {
      if (this.#streams.size === 0) this.#fail(errorCode.none)
    }, this.#limits.idleTimeout).unref()
  }

  /** Ends the connection, whatever is in progress. */
  #fail(code: number): void {
    this.#leave(code)
    this.#end()
  }

  #leave(code: number): void {
    this.#isLeaving = true
    const last = this.#lastStream
    this.#sender.send(
      frame(frameType.goaway, 0, 0, 8, (into, at) => {
        into.writeUInt32BE(code, into.writeUInt32BE(last, at))
      })
    )
  }

  #end(): void {
    if (this.#isOver) return
    this.#sender.finish()
    const { socket } = this
    const destroy = () => socket.destroy()
    const timers = [setTimeout(destroy, this.#limits.requestTimeout).unref()]
    socket.end(() => timers.push(setTimeout(destroy, lingering).unref()))
    socket.once('close', () => timers.forEach(clearTimeout))
    this.#over()
  }

  #over(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#idle)
    this.#sender.close()
    for (const stream of this.#streams.values()) stream.closed()
    this.#streams.clear()
    this.#waiting.clear()
    for (const answered of this.#pings.splice(0)) answered()
    this.#handler.close()
  }
}

const protocolError = (what: string) => new ConnectionError(errorCode.protocol, what)
const tooMuch = (what: string) => new ConnectionError(errorCode.enhanceYourCalm, what)

const windowUpdate = (id: number, bytes: number) =>
  frame(frameType.windowUpdate, 0, id, 4, (into, at) => into.writeUInt32BE(bytes, at))

/** Whether the body has the length that its request names, or may still get it. */
function hasPromisedLength({ headers, received }: Stream, ends: boolean): boolean {
  const length = headers['content-length']
  if (length === undefined) return true
  return ends ? received === Number(length) : received <= Number(length)
}
