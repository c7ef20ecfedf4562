/** The client's side of a SPDY/3.1 connection to a kubelet. */
import { Duplex } from 'node:stream'
import { controlFrame, dataHeader, FrameReader, finFlag, frameTypes, HeaderBlocks, words } from './frames.js'

/** Milliseconds between pings, as in kube-apiserver: they keep proxies on the way from cutting off a quiet connection. */
const pingMs = 5000
const refused = 3
const knownTypes: ReadonlySet<number> = new Set(Object.values(frameTypes))
/** How many answers to the kubelet's frames may wait for it to read them. */
const maxAnswers = 100
/** Larger writes are split into several frames. */
const maxDataBytes = 64 * 1024

/**
 * One stream. Its end is that of the other side; it is destroyed when the connection is lost before that. Kubelets know no windows,
 * and so the connection is read only while all of its streams are.
 */
export class SpdyStream extends Duplex {
  readonly id: number
  readonly #connection: SpdyConnection
  isAccepted = false
  /** Whether the kubelet has said that it sends no more. */
  isFinished = false
  /** Whether the kubelet reads no more. */
  isReset = false

  constructor(connection: SpdyConnection, id: number) {
    super({ allowHalfOpen: true })
    this.#connection = connection
    this.id = id
  }

  override _read(): void {
    this.#connection.wantsMore(this)
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    if (this.isReset) done()
    else this.#connection.sendData(this.id, chunk, done)
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.isReset) done()
    else this.#connection.sendEnd(this.id, done)
  }
}

export class SpdyConnection {
  readonly #socket: Duplex
  readonly #blocks = new HeaderBlocks()
  readonly #streams = new Map<number, SpdyStream>()
  /** Streams that nobody reads at present. */
  readonly #full = new Set<SpdyStream>()
  readonly #pings: NodeJS.Timeout
  #answers = 0
  #nextStream = 1
  #nextPing = 1

  constructor(socket: Duplex) {
    this.#socket = socket
    const reader = new FrameReader({
      data: (id, piece) => this.#received(id, piece),
      finished: id => this.#finished(this.#streams.get(id)),
      control: (type, flags, payload) => this.#control(type, flags, payload)
    })
    const read = (piece: Buffer) => {
      try {
        reader.push(piece)
      } catch (error) {
        socket.off('data', read).destroy(error as Error)
      }
    }
    socket.on('data', read)
    let reason: Error | undefined
    socket.on('error', error => {
      reason = error
    })
    socket.once('close', () => this.#lost(reason ?? new Error('the connection to the kubelet is lost')))
    this.#pings = setInterval(() => {
      socket.write(controlFrame(frameTypes.ping, 0, words(this.#nextPing)))
      this.#nextPing = (this.#nextPing + 2) % 2 ** 31
    }, pingMs)
  }

  open(headers: Readonly<Record<string, string>>): SpdyStream {
    const stream = new SpdyStream(this, this.#nextStream)
    // those who use the stream see it end; without a listener, an error would end the process
    stream.on('error', () => {})
    this.#nextStream += 2
    this.#streams.set(stream.id, stream)
    const head = Buffer.concat([words(stream.id, 0), Buffer.alloc(2), this.#blocks.write(headers)])
    this.#socket.write(controlFrame(frameTypes.synStream, 0, head))
    return stream
  }

  close(): void {
    this.#socket.end(controlFrame(frameTypes.goAway, 0, words(0, 0)), () => this.#socket.destroy())
  }

  destroy(): void {
    this.#socket.destroy()
  }

  sendData(id: number, chunk: Buffer, done: (error?: Error | null) => void): void {
    const socket = this.#socket
    if (socket.destroyed || socket.writableEnded) return done(new Error('the connection is closed'))
    // one write for all
    socket.cork()
    for (let at = 0; at < chunk.length; at += maxDataBytes) {
      const piece = chunk.subarray(at, at + maxDataBytes)
      socket.write(dataHeader(id, 0, piece.length))
      if (at + maxDataBytes >= chunk.length) socket.write(piece, done)
      else socket.write(piece)
    }
    socket.uncork()
    if (chunk.length === 0) done()
  }

  sendEnd(id: number, done: (error?: Error | null) => void): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return done()
    this.#socket.write(dataHeader(id, finFlag, 0), done)
  }

  wantsMore(stream: SpdyStream): void {
    if (this.#full.delete(stream) && this.#full.size === 0) this.#socket.resume()
  }

  #received(id: number, piece: Buffer): void {
    const stream = this.#streams.get(id)
    // as for Go, what comes before the stream is accepted or after its end does not count
    if (!stream?.isAccepted || stream.isFinished || stream.destroyed || stream.push(piece)) return
    this.#full.add(stream)
    this.#socket.pause()
  }

  #finished(stream: SpdyStream | undefined): void {
    if (!stream?.isAccepted || stream.isFinished || stream.destroyed) return
    stream.isFinished = true
    stream.push(null)
  }

  #control(type: number, flags: number, payload: Buffer): void {
    if (!knownTypes.has(type)) throw new Error(`a SPDY frame is of the unknown type ${type}`)
    if (payload.length < 4) throw new Error('a SPDY frame is too short')
    const id = payload.readUInt32BE(0) & 0x7fffffff
    const stream = this.#streams.get(id)
    if (type === frameTypes.synReply || type === frameTypes.headers) {
      if (stream && type === frameTypes.synReply) stream.isAccepted = true
      if (flags & finFlag) this.#finished(stream)
    } else if (type === frameTypes.rstStream) {
      this.#streams.delete(id)
      if (stream) this.#reset(stream)
    }
    // the kubelet's own pings have even numbers; the others are answers
    else if (type === frameTypes.ping && id % 2 === 0) this.#answer(frameTypes.ping, words(id))
    // kubelets open no streams
    else if (type === frameTypes.synStream) this.#answer(frameTypes.rstStream, words(id, refused))
  }

  /** Ends a connection whose kubelet asks and asks, and does not read. */
  #answer(type: number, payload: Buffer): void {
    if (++this.#answers > maxAnswers) this.#socket.destroy(new Error('the kubelet does not read its answers'))
    else
      this.#socket.write(controlFrame(type, 0, payload), () => {
        this.#answers--
      })
  }

  /** Once it has accepted a stream, a kubelet that resets it ends it; what it has sent before counts, as for Go. */
  #reset(stream: SpdyStream): void {
    if (stream.isAccepted) {
      stream.isReset = true
      return this.#finished(stream)
    }
    this.#full.delete(stream)
    stream.destroy(new Error('the kubelet has reset the stream'))
    if (this.#full.size === 0) this.#socket.resume()
  }

  #lost(error: Error): void {
    clearInterval(this.#pings)
    // what has come whole is still read
    for (const stream of this.#streams.values()) if (!stream.isFinished) stream.destroy(error)
    this.#streams.clear()
  }
}
