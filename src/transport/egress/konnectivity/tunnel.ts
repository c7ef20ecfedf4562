/** A connection that a konnectivity proxy carries in the packets of one gRPC stream. */
import { Duplex } from 'node:stream'
import type { Client, ClientDuplexStream } from '@grpc/grpc-js'
import type { Connection } from '../egress-selector.js'
import { encodePacket, type Id, type Packet } from './packet.js'

/** The packets go to the proxy as bytes, and come from it decoded. */
export type PacketStream = ClientDuplexStream<Buffer, Packet | undefined>

/** A packet has at most this much data, far below the largest message that the proxy takes. */
const maxDataBytes = 64 * 1024
/** Milliseconds that the proxy has for closing the connection, as in kube-apiserver. */
const closeMs = 10_000

export class Tunnel extends Duplex implements Connection {
  readonly #stream: PacketStream
  readonly #connection: Id
  #isClosing = false
  #hasEnded = false
  #idle: NodeJS.Timeout | undefined

  /** Takes over the stream, and the client, which has no other. */
  constructor(client: Client, stream: PacketStream, connection: Id) {
    super({ allowHalfOpen: false })
    this.#stream = stream
    this.#connection = connection
    stream.on('data', (packet: Packet | undefined) => this.#receive(packet))
    // the proxy has gone, or closed the connection: as in Go, readers see no more than its end
    stream.once('end', () => this.#endReading())
    stream.once('error', () => this.#endReading())
    stream.once('close', () => client.close())
    this.once('close', () => endStream(stream))
  }

  #receive(packet: Packet | undefined): void {
    this.#idle?.refresh()
    if (packet?.type === 'data' && packet.connection === this.#connection) {
      if (packet.data.length > 0 && !this.#hasEnded && !this.push(packet.data)) this.#stream.pause()
    } else if (packet?.type === 'close response' && packet.connection === this.#connection) {
      this.#isClosing = true
      this.#endReading()
    }
  }

  #endReading(): void {
    this.#hasEnded = true
    this.push(null)
  }

  override _read(): void {
    this.#stream.resume()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#idle?.refresh()
    if (chunk.length === 0) return done()
    for (let at = 0; at < chunk.length; at += maxDataBytes) {
      const data = chunk.subarray(at, at + maxDataBytes)
      const isLast = at + maxDataBytes >= chunk.length
      this.#stream.write(
        encodePacket({ type: 'data', connection: this.#connection, data }),
        isLast ? (error?: Error | null) => done(error) : undefined
      )
    }
  }

  /** The proxy knows no connection that is closed on one side only. */
  override _final(done: () => void): void {
    this.#close()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle)
    this.#close()
    done(error)
  }

  /** There is nothing to set: the connection to the proxy is on this machine, and keeps the process alive. */
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }

  /** Emits `timeout` when nothing has been read or written for some milliseconds; 0 for never. */
  setTimeout(milliseconds: number, listener?: () => void): this {
    if (listener) this.once('timeout', listener)
    clearTimeout(this.#idle)
    this.#idle = milliseconds > 0 ? setTimeout(() => this.emit('timeout'), milliseconds).unref() : undefined
    return this
  }

  #close(): void {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#stream.write(encodePacket({ type: 'close request', connection: this.#connection }))
  }
}

/** Ends a stream of which nobody reads any more, once the proxy has taken the last packet and done what it says. */
export function endStream(stream: PacketStream): void {
  const timer = setTimeout(() => stream.cancel(), closeMs).unref()
  stream
    .on('error', () => {})
    .once('close', () => clearTimeout(timer))
    .resume()
    .end()
}
