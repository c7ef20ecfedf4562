/**
 * Bounds what connections may take of the server before it knows who is there: how many there are, and how much they have sent
 * without a whole request. What comes too much is closed, the oldest or the largest first, so that those who do show
 * credentials still get in.
 */
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './connection-limits.js'

/** Bytes come fast. */
const sweepMs = 250

/** Set on sockets whose client is known, so that each of their requests costs no more than a look. */
const known = Symbol('known')
type Marked = Socket & { [known]?: boolean }

interface Connection {
  readonly socket: Socket
  /** What it had sent when its last request was received or answered. */
  settled: number
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #all = new Set<Socket>()
  /** By remote address and port, the oldest first. */
  readonly #unknown = new Map<string, Connection>()
  #sweeping: NodeJS.Timeout | undefined

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** A connection as it comes, before its TLS handshake. */
  add(socket: Socket): void {
    const key = keyOf(socket)
    this.#all.add(socket)
    this.#unknown.set(key, { socket, settled: 0 })
    socket.once('close', () => {
      this.#all.delete(socket)
      if (this.#unknown.get(key)?.socket === socket) this.#unknown.delete(key)
    })
    if (this.#unknown.size > this.#limits.unknown) this.#drop(this.#unknown.keys().next().value!)
    this.#sweeping ??= setInterval(() => this.#sweep(), Math.min(this.#limits.checkInterval, sweepMs)).unref()
  }

  /** A request has been received or answered. `socket`: the connection, or the TLS socket over it. */
  settle(socket: Marked): void {
    if (socket[known]) return
    const connection = this.#unknown.get(keyOf(socket))
    if (connection) connection.settled = connection.socket.bytesRead
  }

  /** Credentials have shown who is there. */
  authenticated(socket: Marked): void {
    if (socket[known]) return
    socket[known] = true
    this.#unknown.delete(keyOf(socket))
  }

  closeAll(): void {
    for (const socket of this.#all) socket.destroy()
    clearInterval(this.#sweeping)
  }

  #sweep(): void {
    if (this.#unknown.size === 0) {
      clearInterval(this.#sweeping)
      this.#sweeping = undefined
      return
    }
    const sent = [...this.#unknown].map(([key, { socket, settled }]) => ({ key, bytes: socket.bytesRead - settled }))
    let total = sent.reduce((sum, { bytes }) => sum + bytes, 0)
    const { unknownBytes } = this.#limits
    if (total <= unknownBytes) return
    for (const { key, bytes } of sent.sort((a, b) => b.bytes - a.bytes)) {
      if (total <= unknownBytes) return
      this.#drop(key)
      total -= bytes
    }
  }

  #drop(key: string): void {
    this.#unknown.get(key)?.socket.destroy()
    this.#unknown.delete(key)
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
