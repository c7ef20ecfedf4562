import { EventEmitter } from 'node:events'
import { RequestBody } from '../request-body.js'
import { errorCode } from './errors.js'
import { encodeHeaders } from './header-encoder.js'
import { Outgoing } from './outgoing.js'
import type { RequestHeaders } from './request-headers.js'
import type { Session } from './session.js'

/** Bytes that may wait to be sent before `write` asks its caller to wait. */
const highWater = 64 * 1024

/**
 * One request and its answer. Emits `drain` when more may be written, and `close` when the answer has left or either side has given up.
 */
export class Stream extends EventEmitter {
  readonly id: number
  readonly session: Session
  readonly headers: RequestHeaders['headers']
  readonly rawHeaders: readonly string[]
  /** Undefined when the request has none. */
  readonly body: RequestBody | undefined
  readonly outgoing: Outgoing
  /** Bytes of the body that wait for their reader. */
  unread = 0
  /** Bytes of the body that have been read, but of which the client has not been told. */
  owed = 0
  /** Bytes of the body that have come. */
  received = 0
  isClosed = false
  #isEnded = false
  #waitsForDrain = false
  #deadline: NodeJS.Timeout | undefined

  constructor(session: Session, id: number, { headers, raw }: RequestHeaders, hasBody: boolean, window: number) {
    super()
    this.session = session
    this.id = id
    this.headers = headers
    this.rawHeaders = raw
    this.body = hasBody ? new RequestBody(bytes => session.consumed(this, bytes)) : undefined
    this.outgoing = new Outgoing(id, window)
  }

  /** Sends the headers, and the whole answer when `isEnd`. Throws TypeError for characters that a header cannot have. */
  respond(status: number, headers: Readonly<Record<string, string | string[]>>, isEnd: boolean): void {
    this.outgoing.head(encodeHeaders(status, headers), isEnd)
    this.session.ready(this)
  }

  /** Returns false when the client does not keep up: wait for `drain`. `done` is called when the bytes have left or never will. */
  write(bytes: Buffer, done?: () => void): boolean {
    if (this.isClosed || this.#isEnded) {
      done?.()
      return false
    }
    this.outgoing.add(bytes, done)
    this.session.ready(this)
    this.#waitsForDrain = this.outgoing.bytes >= highWater
    return !this.#waitsForDrain
  }

  end(bytes?: Buffer): void {
    if (this.isClosed || this.#isEnded) return
    this.#isEnded = true
    if (bytes) this.outgoing.add(bytes)
    this.outgoing.end()
    this.session.ready(this)
  }

  /** Ends the stream in a way that shows the client that the answer is not complete. */
  destroy(code: number = errorCode.internal): void {
    this.session.reset(this, code)
  }

  /**
   * Called by the session when the client has to widen the stream's window, or the connection's. Gives up in `patience` milliseconds if the whole answer waits
   * here: one that is still being made, a watch for example, has limits where it is made.
   */
  waitsForWindow(patience: number): void {
    if (this.#isEnded) this.#deadline ??= setTimeout(() => this.destroy(errorCode.cancel), patience).unref()
  }

  /** Called by the session when it has sent some of the stream's bytes. */
  sent(): void {
    if (!this.#waitsForDrain || this.outgoing.bytes >= highWater) return
    this.#waitsForDrain = false
    this.emit('drain')
  }

  /** Called by the session when the stream has come to its end. */
  closed(): void {
    if (this.isClosed) return
    this.isClosed = true
    clearTimeout(this.#deadline)
    this.outgoing.abandon()
    this.body?.fail()
    this.emit('close')
  }
}
