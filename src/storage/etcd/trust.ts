/**
 * Which etcd servers do their work. A server that does not answer in time, or has no leader, is doubted: it is asked only when no other
 * is left. It is trusted again when it answers a question of this class. An open connection proves nothing. A stalled server keeps its
 * connections for long, and one that is cut off from the other members keeps them for ever.
 */
import type { Logger } from '../../util/logger.js'

export interface Asking<Server> {
  nameOf(server: Server): string
  /** Rejects when the server cannot answer in time. */
  works(server: Server, timeoutMs: number): Promise<unknown>
}

const answerMs = 2000
const pauseMs = 500

export class Trust<Server> {
  readonly #doubted = new Set<Server>()
  readonly #size: number
  readonly #asking: Asking<Server>
  readonly #log: Logger | undefined
  #closed = false

  constructor(size: number, asking: Asking<Server>, log: Logger | undefined) {
    this.#size = size
    this.#asking = asking
    this.#log = log
  }

  has(server: Server): boolean {
    return !this.#doubted.has(server)
  }

  doubt(server: Server, reason: string): void {
    if (this.#closed || this.#doubted.has(server)) return
    this.#doubted.add(server)
    const rest = this.#size === this.#doubted.size ? 'no other server answers' : 'other servers are asked'
    this.#log?.error(`etcd: ${this.#asking.nameOf(server)} does not answer, ${rest}: ${reason}`)
    void this.#askAgain(server)
  }

  async #askAgain(server: Server): Promise<void> {
    while (!this.#closed) {
      try {
        await this.#asking.works(server, answerMs)
        if (this.#closed) return
        this.#doubted.delete(server)
        this.#log?.info(`etcd: ${this.#asking.nameOf(server)} answers again`)
        return
      } catch {
        await new Promise(resolve => setTimeout(resolve, pauseMs).unref())
      }
    }
  }

  close(): void {
    this.#closed = true
  }
}
