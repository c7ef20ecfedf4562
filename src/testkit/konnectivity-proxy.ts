/** A small konnectivity proxy for tests: a gRPC server on a Unix socket that dials by itself, without agents. */
import net from 'node:net'
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js'
import { Reader, wireBytes, wireVarint } from '../util/protobuf/reader.js'

export interface KonnectivityProxy {
  /** The addresses that were asked for, in order. */
  readonly asked: string[]
  /** The numbers of the packets' types that came, in order, without those of data. */
  readonly received: number[]
  /** The most bytes of data in a packet so far. */
  largest: number
  /** The connections that are open. */
  readonly open: Set<net.Socket>
  close(): Promise<void>
}

export interface KonnectivityOptions {
  /** Returns where an address leads; a text is the error to answer. Does not answer at all for undefined. */
  readonly leadTo: (asked: string) => { readonly host: string; readonly port: number } | string | undefined
}

const dialRequest = 0
const closeRequest = 2
const data = 4
/** The number of every connection; there is one in each stream. */
const connection = 2 ** 53 + 2

type Stream = ServerDuplexStream<Buffer, Buffer>

export async function startKonnectivityProxy(path: string, { leadTo }: KonnectivityOptions): Promise<KonnectivityProxy> {
  const server = new Server()
  const proxy: KonnectivityProxy = {
    asked: [],
    received: [],
    largest: 0,
    open: new Set(),
    async close() {
      for (const socket of proxy.open) socket.destroy()
      server.forceShutdown()
    }
  }
  const bytes = (b: Buffer) => b
  const codecs = { requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes }
  const method = { path: '/ProxyService/Proxy', requestStream: true, responseStream: true, ...codecs }
  server.addService({ proxy: method } as never, { proxy: (stream: Stream) => serve(stream, proxy, leadTo) })
  await new Promise<void>((resolve, reject) =>
    server.bindAsync(`unix:${path}`, ServerCredentials.createInsecure(), error => (error ? reject(error) : resolve()))
  )
  return proxy
}

function serve(stream: Stream, proxy: KonnectivityProxy, leadTo: KonnectivityOptions['leadTo']): void {
  let socket: net.Socket | undefined
  const send = (type: number, field: number, content: Buffer) => stream.write(message([1, type], [field, content]))
  stream.on('error', () => socket?.destroy())
  stream.on('end', () => {
    socket?.destroy()
    stream.end()
  })
  stream.on('data', (packet: Buffer) => {
    const [type, fields] = read(packet)
    if (type !== data) proxy.received.push(type)
    if (type === dialRequest) {
      const asked = (fields[2] as Buffer).toString()
      proxy.asked.push(asked)
      const target = leadTo(asked)
      if (target === undefined) return
      if (typeof target === 'string') return void send(1, 3, message([1, Buffer.from(target)], [3, fields[3] as number]))
      socket = net.connect(target, () => send(1, 3, message([2, connection], [3, fields[3] as number])))
      proxy.open.add(socket)
      socket.on('data', chunk => {
        if (!send(4, 4, message([1, connection], [3, chunk]))) {
          socket!.pause()
          stream.once('drain', () => socket!.resume())
        }
      })
      socket.on('error', () => {})
      socket.once('close', () => {
        proxy.open.delete(socket!)
        send(3, 6, message([2, connection]))
      })
    } else if (type === data) {
      const chunk = fields[3] as Buffer
      proxy.largest = Math.max(proxy.largest, chunk.length)
      // views into the packet are valid only now
      if (!socket!.write(Buffer.from(chunk))) {
        stream.pause()
        socket!.once('drain', () => stream.resume())
      }
    } else if (type === closeRequest) socket?.end()
  })
}

/** Returns a packet's type and the fields of its content. */
function read(packet: Buffer): [type: number, fields: (number | bigint | Buffer)[]] {
  const reader = new Reader(packet)
  let type = 0
  const fields: (number | bigint | Buffer)[] = []
  while (!reader.done) {
    if (reader.tag('Packet') === 1) type = reader.int32()
    else
      reader.message(() => {
        while (!reader.done) {
          const tag = reader.tag('Packet')
          if (reader.wire === wireVarint) fields[tag] = reader.exactInt64()
          else if (reader.wire === wireBytes) fields[tag] = reader.bytes()
        }
      })
  }
  return [type, fields]
}

function message(...fields: (readonly [tag: number, value: number | bigint | Buffer])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([tag, value]) =>
      Buffer.isBuffer(value) ? [varint(tag * 8 + 2), varint(value.length), value] : [varint(tag * 8), varint(value)]
    )
  )
}

function varint(value: number | bigint): Buffer {
  const out: number[] = []
  let rest = BigInt(value)
  for (; rest >= 0x80n; rest >>= 7n) out.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...out, Number(rest)])
}
