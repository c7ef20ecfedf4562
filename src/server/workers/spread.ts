/**
 * Spreads connections over the processes of a server: the first process accepts all of them, and gives each to the process that has the
 * fewest. Processes that accept for themselves may end up with very different numbers, and connections stay for hours.
 */
import type { Socket } from 'node:net'
import type { Peer } from './peer.js'

/**
 * A process that has not taken a connection within this many milliseconds hangs, or has too much to do: others get the
 * connections that wait for it.
 */
const stalledMs = 1000

type Accept = (socket: Socket) => void

/**
 * The connections of a process other than the first. They are handed over one at a time, so that a process that hangs delays no
 * more than one.
 */
export class WorkerConnections {
  readonly #peer: Pick<Peer, 'ask'>
  readonly #giveBack: (sockets: readonly Socket[]) => void
  #waiting: Socket[] = []
  #isHanding = false
  #isStalled = false
  #isOver = false
  /** The number of its connections, including those that wait for it. */
  count = 0

  /** `giveBack` is called with connections that another process should take. */
  constructor(peer: Pick<Peer, 'ask'>, giveBack: (sockets: readonly Socket[]) => void) {
    this.#peer = peer
    this.#giveBack = giveBack
  }

  get takes(): boolean {
    return !this.#isStalled && !this.#isOver
  }

  take(socket: Socket): void {
    this.count++
    this.#waiting.push(socket)
    if (!this.#isHanding) void this.#handOver()
  }

  /** To be called when so many of its connections have ended. */
  closed(count: number): void {
    this.count -= count
  }

  /** To be called when the process takes no more connections. */
  end(): void {
    this.#isOver = true
    this.#returnWaiting()
  }

  async #handOver(): Promise<void> {
    this.#isHanding = true
    for (let socket = this.#waiting.shift(); socket !== undefined; socket = this.#waiting.shift()) {
      const timer = setTimeout(() => {
        this.#isStalled = true
        this.#returnWaiting()
      }, stalledMs)
      try {
        await this.#peer.ask('connection', undefined, socket)
        this.#isStalled = false
      } catch {
        // the process has ended, and this connection with it
        socket.destroy()
        this.end()
      } finally {
        clearTimeout(timer)
      }
    }
    this.#isHanding = false
  }

  #returnWaiting(): void {
    const sockets = this.#waiting
    this.#waiting = []
    this.count -= sockets.length
    if (sockets.length > 0) this.#giveBack(sockets)
  }
}

export class Spread {
  readonly #workers = new Set<WorkerConnections>()
  /** The number of the first process's own connections. */
  #own = 0
  #accept: Accept | undefined

  /** Adds a process that takes connections from now on. */
  add(peer: Pick<Peer, 'ask'>): WorkerConnections {
    const connections = new WorkerConnections(peer, sockets => {
      for (const socket of sockets) this.#give(socket)
    })
    this.#workers.add(connections)
    return connections
  }

  remove(connections: WorkerConnections): void {
    this.#workers.delete(connections)
    connections.end()
  }

  /** Returns the function that gives each new connection to a process. `accept` keeps it in this one. */
  readonly over = (accept: Accept): Accept => {
    this.#accept = accept
    return socket => this.#give(socket)
  }

  #give(socket: Socket): void {
    let fewest = this.#own
    let taker: WorkerConnections | undefined
    for (const worker of this.#workers) {
      if (!worker.takes || worker.count >= fewest) continue
      fewest = worker.count
      taker = worker
    }
    if (taker) return taker.take(socket)
    this.#own++
    socket.once('close', () => this.#own--)
    this.#accept!(socket)
  }
}
