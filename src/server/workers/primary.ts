/** The first process of a server with several, as a worker sees it. */
import type { Socket } from 'node:net'
import type { InjectedRequest } from '../../apimachinery/request/injected.js'
import type { Handler } from '../../apimachinery/request/message.js'
import type { LineWriter } from '../../apiserver/audit/log-target.js'
import { isSessionToken, type SessionKeeper, sessionEnded } from '../../apiserver/console/sessions.js'
import type { HandedOver } from '../../apiserver/http/listener.js'
import type { PassOn } from '../../apiserver/recorder/recorder.js'
import type { Authenticated } from '../../auth/authentication/authenticator.js'
import { answered, type PathAnswer } from './crew.js'
import { type Answers, Peer } from './peer.js'
import type { WorkerSettings } from './settings.js'

/** What a worker does when the first process asks for it. */
interface Orders {
  stop(): void
  reload(): Promise<void>
}

/** How many bytes of records may be on their way to the first process. What comes beyond that is not recorded. */
const maxRecordBytes = 8 * 1024 * 1024
/** How many bytes of the audit log may be on their way to the first process. */
const maxAuditBytes = 64 * 1024 * 1024

export class Primary {
  readonly #peer: Peer
  #paths: Handler | undefined
  #renewed: (() => Promise<void>) | undefined
  #auditBytes = 0
  #recordBytes = 0
  #accept: ((socket: Socket) => void) | undefined
  /** How many connections have ended since the first process was told. */
  #closed = 0

  constructor(channel: NodeJS.Process, orders: Orders) {
    const answers: Answers = {
      stop: () => orders.stop(),
      reload: () => orders.reload(),
      certificates: () => this.#renewed?.(),
      path: (request: InjectedRequest) => this.#paths && answered(this.#paths, request),
      connection: (_, connection) => this.#take(connection)
    }
    this.#peer = new Peer(channel, answers)
  }

  /** Returns the settings of this process. */
  settings(): Promise<WorkerSettings> {
    return this.#peer.ask('settings')
  }

  /** Asks the first process to report new revisions. */
  async store(): Promise<void> {
    await this.#peer.ask('store')
  }

  /** `paths` are those that this process answers for itself. `renewed` reads certificates that the first process has renewed. */
  assist(paths: Handler, renewed: () => Promise<void>): void {
    this.#paths = paths
    this.#renewed = renewed
  }

  /** The connections that the first process accepts for this one. */
  readonly connections: HandedOver = {
    begin: accept => {
      this.#accept = accept
      return this.#peer.ask('port')
    },
    end: async () => {
      await this.#peer.ask('leave').catch(() => {})
      this.#accept = undefined
    }
  }

  #take(socket: Socket | undefined): void {
    if (!socket || !this.#accept) {
      socket?.destroy()
      return this.#countClosed()
    }
    socket.once('close', () => this.#countClosed())
    this.#accept(socket)
  }

  /** Reports connections that have ended, all of one turn of the event loop at once. */
  #countClosed(): void {
    if (this.#closed++ > 0) return
    setImmediate(() => {
      this.#peer.ask('closed', this.#closed).catch(() => {})
      this.#closed = 0
    })
  }

  async serving(): Promise<void> {
    await this.#peer.ask('serving')
  }

  /** Asks for the answer of a path that concerns all processes. */
  path(request: InjectedRequest): Promise<PathAnswer> {
    return this.#peer.ask('path', request)
  }

  /** The sessions of the console, which the first process keeps. It is asked each time, so that one that has ended is of no use here. */
  readonly sessions: SessionKeeper = {
    redeem: code => this.#peer.ask('redeem', code),
    end: token => this.#peer.ask('endSession', token),
    authenticateToken: token => (isSessionToken(token) ? this.#session(token) : undefined)
  }

  async #session(token: string): Promise<Authenticated> {
    const found: Authenticated | undefined = await this.#peer.ask('session', token)
    if (!found) throw sessionEnded()
    return found
  }

  /** Passes the record of a request on to the first process. */
  readonly record: PassOn = entry => {
    const { bytes } = entry
    if (this.#recordBytes + bytes > maxRecordBytes) return
    this.#recordBytes += bytes
    const taken = () => {
      this.#recordBytes -= bytes
    }
    this.#peer.ask('record', entry).then(taken, taken)
  }

  /** Writes to the audit log, which the first process keeps and rotates. */
  readonly audit: LineWriter = {
    write: async text => {
      if (this.#auditBytes > maxAuditBytes) throw new Error('the process that keeps the file does not take more')
      const { length } = text
      this.#auditBytes += length
      try {
        await this.#peer.ask('audit', text)
      } finally {
        this.#auditBytes -= length
      }
    }
  }
}
