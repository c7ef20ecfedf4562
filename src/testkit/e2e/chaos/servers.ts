/** Servers as processes, which are killed, stalled and cut off. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startServerProcess } from '../server-process.js'

export class KillableServer {
  readonly #directory = mkdtempSync(join(tmpdir(), 'binnacle-chaos-'))
  readonly #flags: readonly string[]
  #running: ServerProcess | undefined

  constructor(flags: readonly string[]) {
    this.#flags = flags
  }

  /** Undefined while the server is down. */
  get process(): ServerProcess | undefined {
    return this.#running
  }

  /** Tries again when the start fails, as whatever supervises a server does. */
  async start(): Promise<void> {
    for (let attempt = 1; !this.#running; attempt++) {
      try {
        this.#running = await startServerProcess(this.#directory, this.#flags)
      } catch (error) {
        if (attempt === 5) throw error
      }
    }
  }

  async kill(): Promise<void> {
    const ending = this.#running
    this.#running = undefined
    await ending?.kill('SIGKILL')
  }

  /** Sends a signal to one of the processes beside the first, if there is one. */
  signalWorker(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    const [worker] = this.#running?.workers() ?? []
    if (worker !== undefined) process.kill(worker, signal)
  }

  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#running?.child.kill(signal)
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

export const running = (servers: readonly KillableServer[]): ServerProcess[] =>
  servers.map(server => server.process).filter(process => process !== undefined)
