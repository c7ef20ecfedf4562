/** The server's side of SPDY/3.1, as kubelets have it: for simulated kubelets, and for tests. */
import { Duplex } from 'node:stream'
import { createInflate } from 'node:zlib'
import { spdyDictionary } from './dictionary.js'
import { controlFrame, dataHeader, FrameReader, finFlag, frameTypes, HeaderBlocks, words } from './frames.js'

export interface ServerStream extends Duplex {
  readonly headers: Readonly<Record<string, string>>
}

/** The most streams of a connection at a time: a port-forward has two for each of its connections. */
const maxStreams = 2048
/** The most bytes of the headers of a stream, once they are decompressed. */
const maxHeaderBytes = 64 * 1024
/** Answers to pings wait for a client that reads: beyond so many bytes there are none. */
const maxUnreadBytes = 64 * 1024

/**
 * Calls `accepted` for every stream that the client opens. A client that speaks no SPDY, or has more streams or headers than a kubelet takes,
 * loses its connection.
 */
export function serveSpdy(socket: Duplex, accepted: (stream: ServerStream) => void): void {
  const streams = new Map<number, Duplex>()
  const full = new Set<Duplex>()
  const blocks = new HeaderBlocks()
  const inflate = createInflate({ dictionary: spdyDictionary })
  const fail = () => {
    socket.destroy()
    inflate.destroy()
  }
  let pieces: Buffer[] = []
  let length = 0
  inflate.on('data', (piece: Buffer) => {
    length += piece.length
    if (length > maxHeaderBytes) fail()
    else pieces.push(piece)
  })
  inflate.on('error', fail)

  const open = (id: number, headers: Record<string, string>, isFinished: boolean) => {
    const stream: Duplex = new Duplex({
      read() {
        if (full.delete(stream) && full.size === 0) socket.resume()
      },
      write(chunk: Buffer, _, done) {
        if (socket.destroyed) return done(new Error('closed'))
        socket.cork()
        socket.write(dataHeader(id, 0, chunk.length))
        socket.write(chunk, done)
        socket.uncork()
      },
      final(done) {
        if (socket.destroyed) return done()
        socket.write(dataHeader(id, finFlag, 0), done)
      }
    })
    stream.on('error', () => {}).once('close', () => streams.delete(id))
    if (streams.has(id) || streams.size >= maxStreams) throw new Error('a stream too many')
    streams.set(id, stream)
    socket.write(controlFrame(frameTypes.synReply, 0, Buffer.concat([words(id), blocks.write({})])))
    if (isFinished) stream.push(null)
    accepted(Object.assign(stream, { headers }))
  }

  // headers are decompressed one block after the other, and the frames behind them wait
  let turn: Promise<void> = Promise.resolve()
  const inOrder = (work: () => void | Promise<void>) => {
    turn = turn.then(work).catch(fail)
  }
  const headersOf = async (block: Buffer) => {
    await new Promise<void>(resolve => {
      pieces = []
      length = 0
      inflate.write(block)
      inflate.flush(resolve)
    })
    return parse(Buffer.concat(pieces))
  }

  const reader = new FrameReader({
    data: (id, piece) =>
      inOrder(() => {
        const stream = streams.get(id)
        if (stream && !stream.push(piece)) {
          full.add(stream)
          socket.pause()
        }
      }),
    finished: id => inOrder(() => void streams.get(id)?.push(null)),
    control(type, flags, given) {
      const payload = Buffer.from(given)
      if (type === frameTypes.synStream)
        inOrder(async () => open(payload.readUInt32BE(0), await headersOf(payload.subarray(10)), (flags & finFlag) !== 0))
      else if (type === frameTypes.rstStream) inOrder(() => void streams.get(payload.readUInt32BE(0))?.destroy())
      else if (type === frameTypes.ping && payload.readUInt32BE(0) % 2 === 1 && socket.writableLength < maxUnreadBytes)
        socket.write(controlFrame(frameTypes.ping, 0, payload))
    }
  })
  socket.on('data', piece => {
    try {
      reader.push(piece)
    } catch {
      fail()
    }
  })
  socket.on('error', () => {})
  socket.once('close', () => {
    inflate.destroy()
    for (const stream of streams.values()) stream.destroy()
  })
}

/** Throws for a block that ends too early. */
function parse(block: Buffer): Record<string, string> {
  const headers: Record<string, string> = Object.create(null)
  let at = 4
  const next = () => {
    const length = block.readUInt32BE(at)
    at += 4 + length
    return block.toString('utf8', at - length, at)
  }
  for (let left = block.readUInt32BE(0); left > 0; left--) headers[next()] = next()
  return headers
}
