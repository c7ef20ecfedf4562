/** An HTTP/2 client that sends whatever a test wants, valid or not. */
import { once } from 'node:events'
import tls from 'node:tls'
import { FrameReader, flag, frame, frameType } from '../apiserver/http/http2/frames.js'

export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

export const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

/** Encodes a header block of literals, which needs no table. */
export function literals(fields: Iterable<readonly [string, string]>): Buffer {
  const parts: Buffer[] = []
  for (const [name, value] of fields) parts.push(Buffer.from([0]), length(name), latin1(name), length(value), latin1(value))
  return Buffer.concat(parts)
}

const latin1 = (text: string) => Buffer.from(text, 'latin1')

function length(text: string): Buffer {
  const bytes: number[] = []
  if (text.length < 127) return Buffer.from([text.length])
  let rest = text.length - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([127, ...bytes, rest])
}

export class RawHttp2 {
  readonly socket: tls.TLSSocket
  readonly frames: Frame[] = []
  #look: () => void = () => {}

  constructor(socket: tls.TLSSocket, doesRead = true) {
    this.socket = socket
    const reader = new FrameReader()
    socket.on('error', () => {})
    socket.on('close', () => this.#look())
    if (!doesRead) return
    socket.on('data', chunk => {
      reader.read(chunk, (type, flags, stream, payload) =>
        this.frames.push({ type, flags, stream, payload: Buffer.from(payload) })
      )
      this.#look()
    })
  }

  /** Connects, and sends the preface with `settings`. */
  static async connect(port: number, settings: readonly (readonly [number, number])[] = [], doesRead = true): Promise<RawHttp2> {
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    await once(socket, 'secureConnect')
    const client = new RawHttp2(socket, doesRead)
    socket.write(preface)
    client.send(frameType.settings, 0, 0, settingsPayload(settings))
    return client
  }

  send(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): void {
    this.socket.write(frame(type, flags, stream, payload.length, (into, at) => payload.copy(into, at)))
  }

  /** Sends a request's headers. */
  request(stream: number, fields: Readonly<Record<string, string>> = {}, flags: number = flag.endStream): void {
    const all = { ':method': 'GET', ':scheme': 'https', ':path': '/', ':authority': 'x', ...fields }
    this.send(frameType.headers, flags | flag.endHeaders, stream, literals(Object.entries(all)))
  }

  /** Resolves with the first frame for which `holds` is true, past or future. Rejects when the connection ends without one. */
  async until(holds: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(holds)
      if (found) return found
      if (this.socket.closed) throw new Error('the connection has ended')
      await new Promise<void>(resolve => (this.#look = resolve))
    }
  }

  /** Resolves with the error code of the stream's reset. */
  async reset(stream: number): Promise<number> {
    return (await this.until(frame => frame.type === frameType.rstStream && frame.stream === stream)).payload.readUInt32BE(0)
  }

  /** Resolves with the error code with which the server closes the connection. */
  async goaway(): Promise<number> {
    return (await this.until(({ type }) => type === frameType.goaway)).payload.readUInt32BE(4)
  }

  /** Resolves with the whole body of the stream's answer. Rejects when the server resets the stream before its end. */
  async body(stream: number): Promise<Buffer> {
    const { type } = await this.until(
      frame =>
        frame.stream === stream &&
        (frame.type === frameType.rstStream || (frame.type <= frameType.headers && (frame.flags & flag.endStream) !== 0))
    )
    if (type === frameType.rstStream) throw new Error(`the stream ${stream} was reset`)
    return Buffer.concat(
      this.frames.filter(frame => frame.stream === stream && frame.type === frameType.data).map(each => each.payload)
    )
  }
}

export function settingsPayload(settings: readonly (readonly [number, number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * 6)
  for (const [i, [name, value]] of settings.entries()) payload.writeUInt32BE(value, payload.writeUInt16BE(name, i * 6))
  return payload
}

export const increment = (bytes: number): Buffer => {
  const payload = Buffer.alloc(4)
  payload.writeUInt32BE(bytes)
  return payload
}
