/** Channels over WebSocket, as kubelets have them for clients that speak no SPDY: the first byte of each message names its channel. */
import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const maxMessageBytes = 4 * 1024 * 1024
/** The code of an end without an error. */
const normalEnd = 1000

export interface Channels {
  readonly all: readonly Duplex[]
  /** What both sides speak; empty for a client that names no protocol. */
  readonly protocol: string
  /** Ends the connection, once everything is sent. */
  end(): void
}

export const asksForWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** The first of the client's protocols that is known here; undefined where there is none, empty for a client that names none. */
export function chosenProtocol({ headers }: IncomingMessage, known: readonly string[]): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map(name => name.trim())
  if (offered.length === 1 && offered[0] === '') return ''
  return offered.find(name => known.includes(name))
}

/** Takes over a connection whose client speaks `protocol`, with so many channels. */
export async function openChannels(request: IncomingMessage, socket: Duplex, protocol: string, count: number): Promise<Channels> {
  const { WebSocketServer } = await import('ws')
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: () => protocol
  })
  return new Promise(resolve =>
    server.handleUpgrade(request, socket, Buffer.alloc(0), webSocket => {
      const all = channelsOf(webSocket, count, protocol.includes('base64') ? base64 : binary)
      resolve({ all, protocol, end: () => webSocket.close(normalEnd) })
    })
  )
}

/** How a channel and its bytes become a message, and the other way round. */
interface Encoding {
  encode(channel: number, bytes: Buffer): Buffer | string
  decode(message: Buffer): [channel: number, bytes: Buffer]
}

const binary: Encoding = {
  encode: (channel, bytes) => Buffer.concat([Buffer.of(channel), bytes]),
  decode: message => [message[0] ?? 0, message.subarray(1)]
}
const base64: Encoding = {
  encode: (channel, bytes) => channel + bytes.toString('base64'),
  decode: message => [Number(message.toString('latin1', 0, 1)), Buffer.from(message.toString('latin1', 1), 'base64')]
}

function channelsOf(webSocket: WebSocket, count: number, { encode, decode }: Encoding): Duplex[] {
  /** Channels whose reader is behind: until it has caught up, nothing is read. */
  const full = new Set<Duplex>()
  const all = Array.from({ length: count }, (_, number) => {
    const channel: Duplex = new Duplex({
      read() {
        if (full.delete(channel) && full.size === 0) webSocket.resume()
      },
      write: (chunk: Buffer, _, done) => webSocket.send(encode(number, chunk), error => done(error))
    })
    return channel.on('error', () => {})
  })
  webSocket.on('message', (message: Buffer) => {
    const [number, bytes] = decode(message)
    const channel = all[number]
    if (!channel || channel.destroyed || channel.push(bytes)) return
    full.add(channel)
    webSocket.pause()
  })
  // a message that is too long ends the connection; 'close' follows
  webSocket.on('error', () => {})
  webSocket.on('close', () => {
    for (const channel of all) channel.destroy()
  })
  return all
}
