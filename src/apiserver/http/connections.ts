/**
 * Bounds the connections whose clients have not authenticated: their number, and the bytes that they have sent without a complete
 * request. Closes the oldest of too many connections, or those with the most bytes, so that other clients still get in.
 */
import type { Socket } from 'node:net'
import type { ConnectionLimits } from './connection-limits.js'

/** Short, because a connection can send many bytes in a second. */
const sweepMs = 250

/** Set on sockets whose client has authenticated, so that later requests cost only a look at the socket. */
const known = Symbol('known')
type Marked = Socket & { [known]?: boolean }

interface Connection {
  readonly socket: Socket
  /** The bytes that it had sent when its last request was received or answered. */
  settled: number
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #all = new Set<Socket>()
  /** By remote address and port, the oldest first. */
  readonly #unknown = new Map<string, Connection>()
  #sweeping: NodeJS.Timeout | undefined
  readonly #whenNone: (() => void)[] = []

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Adds a new connection, before its TLS handshake. */
  add(socket: Socket): void {
    const key = keyOf(socket)
    this.#all.add(socket)
    this.#unknown.set(key, { socket, settled: 0 })
    socket.once('close', () => {
      this.#all.delete(socket)
      if (this.#all.size === 0) for (const resolve of this.#whenNone.splice(0)) resolve()
      if (this.#unknown.get(key)?.socket === socket) this.#unknown.delete(key)
    })
    if (this.#unknown.size > this.#limits.unknown) this.#drop(this.#unknown.keys().next().value!)
    this.#sweeping ??= setInterval(() => this.#sweep(), Math.min(this.#limits.checkInterval, sweepMs)).unref()
  }

  /**
   * Notes that a request was received or answered. `socket` is the connection or its TLS socket; `waiting`: bytes that have come, but belong to
   * later requests.
   */
  settle(socket: Marked, waiting = 0): void {
    if (socket[known]) return
    const connection = this.#unknown.get(keyOf(socket))
    if (connection) connection.settled = connection.socket.bytesRead - waiting
  }

  /** Notes that the client has authenticated. */
  authenticated(socket: Marked): void {
    if (socket[known]) return
    socket[known] = true
    this.#unknown.delete(keyOf(socket))
  }

  /** Resolves when there is no connection. */
  none(): Promise<void> {
    return new Promise(resolve => {
      if (this.#all.size === 0) resolve()
      else this.#whenNone.push(resolve)
    })
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
