/**
 * The workers of a server with several processes, as the first process sees them: it starts them, replaces those that die, commits what
 * they write, and speaks for all of them.
 */
import type { Duplex } from 'node:stream'
import type { InjectedRequest } from '../../apimachinery/request/injected.js'
import type { Handler } from '../../apimachinery/request/message.js'
import { inject } from '../../apiserver/chain/inject.js'
import type { ConsoleSessions } from '../../apiserver/console/sessions.js'
import type { PassOn } from '../../apiserver/recorder/recorder.js'
import type { Store } from '../../storage/contract.js'
import { WriterEnd } from '../../storage/workers/writer-end.js'
import type { Logger } from '../../util/logger.js'
import type { Part } from '../../util/part.js'
import { type Answers, type Channel, Peer } from './peer.js'
import type { WorkerSettings } from './settings.js'
import { Spread, type WorkerConnections } from './spread.js'

/** The file descriptor of the pipe between a worker and the store of the first process. */
export const storePipe = 4

/** A worker that dies within this many milliseconds is not replaced at once. */
const shortLifeMs = 5000
const firstPauseMs = 1000
const longestPauseMs = 30_000
/** Milliseconds after which a worker that does not answer is left out, because it hangs. */
const answerMs = 5000
/** Milliseconds that a worker has to end after everything else: longer than its listener waits for requests under way. */
const lastGraceMs = 10_000

/** The parts of a worker's process that the crew uses. */
export type WorkerProcess = Channel & {
  readonly pid?: number | undefined
  readonly stdio: readonly unknown[]
  kill(signal: NodeJS.Signals): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown
}

export interface CrewOptions {
  /** The number of workers beside the first process. */
  readonly workers: number
  readonly log: Logger
  /** Starts the program of a worker, with a channel, and a pipe at `storePipe`. */
  readonly spawn: (number: number) => WorkerProcess
  /** Returns the settings of a worker. */
  readonly settings: (number: number) => WorkerSettings
}

/** What the first process does for the workers. */
export interface Services {
  /** The store through which workers write; undefined when they have the same access to it as this process. */
  readonly store: Store | undefined
  readonly port: () => number
  /** Answers paths that concern all processes. */
  readonly paths: Handler
  /** Writes lines of the audit log. */
  readonly audit: ((text: string) => void | Promise<void>) | undefined
  /** The sessions of the console; undefined for a server without one. */
  readonly sessions: ConsoleSessions | undefined
  /** Keeps the record of a request. */
  readonly record: PassOn
}

export interface PathAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: Buffer
}

interface Worker {
  readonly number: number
  readonly child: WorkerProcess
  readonly peer: Peer
  readonly began: number
  /** Undefined until it serves. */
  connections: WorkerConnections | undefined
}

export class Crew {
  readonly #options: CrewOptions
  readonly #workers = new Map<number, Worker>()
  readonly #pauses = new Map<number, number>()
  readonly #spread = new Spread()
  #services: Services | undefined
  #isStopping = false
  #allGone: (() => void) | undefined

  constructor(options: CrewOptions) {
    this.#options = options
  }

  /** Distributes connections among the processes; the listener of this process uses it. */
  get spread(): Spread['over'] {
    return this.#spread.over
  }

  get #processes(): Worker[] {
    return [...this.#workers.values()]
  }

  /** The part that starts the workers when everything else runs, and first tells them to stop. */
  part(services: Services): Part {
    return {
      name: 'workers',
      start: () => this.#start(services),
      stop: () => {
        this.#isStopping = true
        for (const { peer } of this.#processes) peer.ask('stop').catch(() => {})
      }
    }
  }

  /** The part that waits until the workers have ended, before the parts stop that they need. */
  readonly end: Part = {
    name: 'end of the workers',
    stop: () => this.#ended()
  }

  async #start(services: Services): Promise<void> {
    this.#services = services
    this.#isStopping = false
    const numbers = Array.from({ length: this.#options.workers }, (_, i) => i + 1)
    await Promise.all(numbers.map(number => this.#begin(number)))
  }

  /** Resolves when the worker serves; rejects when it ends before. */
  #begin(number: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = this.#options.spawn(number)
      const pipe = child.stdio[storePipe] as Duplex
      const { store, port, paths, audit, sessions, record } = this.#services!
      const failed = (why: string) => {
        this.#options.log.error(`worker ${number} (process ${child.pid}): ${why}`)
        child.kill('SIGKILL')
      }
      const end = store && new WriterEnd(store, pipe, error => failed(error.message))
      const leaves = () => worker.connections && this.#spread.remove(worker.connections)
      const answers: Answers = {
        settings: () => this.#options.settings(number),
        store: () => end?.start(),
        port,
        serving: () => {
          worker.connections = this.#spread.add(worker.peer)
          resolve()
        },
        leave: leaves,
        closed: (count: number) => worker.connections?.closed(count),
        path: (request: InjectedRequest) => answered(paths, request),
        ...(audit && { audit }),
        redeem: (code: string) => sessions?.redeem(code),
        session: (token: string) => sessions?.find(token),
        endSession: (token: string) => sessions?.end(token) ?? false,
        record
      }
      const worker: Worker = {
        number,
        child,
        peer: new Peer(child, answers),
        began: performance.now(),
        connections: undefined
      }
      this.#workers.set(number, worker)
      pipe.on('error', () => {})
      child.on('error', error => {
        failed(error.message)
        reject(error)
      })
      child.once('exit', (code, signal) => {
        end?.close()
        this.#workers.delete(number)
        leaves()
        const why = `worker ${number} (process ${child.pid}) ended ${signal ? `by ${signal}` : `with ${code}`}`
        reject(new Error(`${why} while it started`))
        if (this.#isStopping) {
          if (this.#workers.size === 0) this.#allGone?.()
        } else if (worker.connections) this.#replace(worker, why)
      })
    })
  }

  #replace({ number, began }: Worker, why: string): void {
    const isShort = performance.now() - began < shortLifeMs
    const pause = isShort ? Math.min(longestPauseMs, (this.#pauses.get(number) ?? firstPauseMs / 2) * 2) : 0
    if (isShort) this.#pauses.set(number, pause)
    else this.#pauses.delete(number)
    this.#options.log.error(`${why}, and is replaced${pause > 0 ? ` in ${pause / 1000} s` : ''}`)
    const again = () => {
      if (this.#isStopping) return
      this.#begin(number).catch((error: Error) => {
        const worker = { number, began: performance.now() } as Worker
        if (!this.#isStopping) this.#replace(worker, error.message)
      })
    }
    setTimeout(again, pause).unref()
  }

  async #ended(): Promise<void> {
    this.#isStopping = true
    if (this.#workers.size === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(() => {
        for (const { child, number } of this.#processes) {
          this.#options.log.error(`worker ${number} (process ${child.pid}) does not end, and is killed`)
          child.kill('SIGKILL')
        }
      }, lastGraceMs)
      this.#allGone = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Asks all workers that serve for an answer to a request. Those that end meanwhile, or hang, are left out. */
  askAll(request: InjectedRequest): Promise<PathAnswer[]> {
    return this.#askAll('path', request)
  }

  /** Tells all workers to read what has changed on the disk: their configuration, or renewed certificates. */
  async tell(what: 'reload' | 'certificates'): Promise<void> {
    await this.#askAll(what)
  }

  async #askAll(what: string, content?: unknown): Promise<any[]> {
    const asked = this.#processes
      .filter(({ connections }) => connections !== undefined)
      .map(({ peer }) => within(answerMs, peer.ask(what, content)))
    const settled = await Promise.allSettled(asked)
    return settled.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  }
}

async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the worker does not answer')), milliseconds)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Answers a request for another process. */
export async function answered(paths: Handler, request: InjectedRequest): Promise<PathAnswer> {
  const { status, headers, body } = await inject(paths, request)
  return { status, headers, body }
}
