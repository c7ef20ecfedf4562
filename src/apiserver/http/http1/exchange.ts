import { EventEmitter } from 'node:events'
import type { BodyTarget } from '../answer-body.js'
import { bodyLength } from '../header-fields.js'
import { RequestBody } from '../request-body.js'
import { answerHead } from './answer-head.js'
import { Chunks } from './chunks.js'
import type { Connection } from './connection.js'
import type { RequestHead } from './head.js'

/** How the client knows where an answer's body ends: after so many bytes, by chunks, or with the connection. 0: there is none. */
type AnswerFraming = number | 'chunked' | 'close'

const lastChunk = Buffer.from('0\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const continueHead = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * One request over HTTP/1.1 and its answer. Emits `drain` when more may be written, and `close` when the answer has left or either
 * side has given up.
 */
export class Exchange extends EventEmitter implements BodyTarget {
  readonly head: RequestHead
  readonly connection: Connection
  /** Undefined when the request has none. */
  readonly body: RequestBody | undefined
  /** Whether the connection takes further requests after this one. */
  keepAlive: boolean
  isClosed = false
  /** Whether the whole answer has been written, although the client may not have taken it. */
  isWritten = false
  /** Bytes of the body that wait for their reader. */
  unread = 0
  readonly #chunks: Chunks | undefined
  /** Bytes of the body that have not come. */
  #missing = 0
  #waitsForContinue: boolean
  #hasAnswered = false
  #framing: AnswerFraming = 0
  #toSend = 0

  constructor(connection: Connection, head: RequestHead, trailerBytes: number) {
    super()
    this.connection = connection
    this.head = head
    this.keepAlive = head.keepAlive
    this.#waitsForContinue = head.expectsContinue
    if (head.framing === 0) return
    if (head.framing === 'chunked') this.#chunks = new Chunks(trailerBytes)
    else this.#missing = head.framing
    this.body = new RequestBody(bytes => connection.consumed(this, bytes))
  }

  // What comes in.

  /** Whether the whole request has come. */
  get hasArrived(): boolean {
    return this.#chunks ? this.#chunks.isDone : this.#missing === 0
  }

  /** Reads bytes of the body from `at` on, and returns where they end. `data` is called with those of the body itself. Throws a Refusal. */
  read(bytes: Buffer, at: number, data: (piece: Buffer) => void): number {
    if (this.#chunks) return this.#chunks.read(bytes, at, data)
    const end = Math.min(bytes.length, at + this.#missing)
    this.#missing -= end - at
    data(bytes.subarray(at, end))
    return end
  }

  /** To be called before the body is read: a client may wait to be asked for it. */
  wantsBody(): void {
    if (!this.#waitsForContinue || this.#hasAnswered || this.isClosed) return
    this.#waitsForContinue = false
    this.connection.socket.write(continueHead)
  }

  // What goes out.

  /** Sends an answer whose body is known. Throws TypeError for characters that a header cannot have. */
  answer(status: number, headers: Readonly<Record<string, string | string[]>>, body: Buffer | undefined): void {
    const length = body?.length ?? 0
    const head = this.#begin(status, headers, length)
    const { socket } = this.connection
    if (!body || this.#framing === 0) socket.write(head, 'latin1')
    else {
      const whole = Buffer.allocUnsafe(head.length + length)
      whole.write(head, 0, 'latin1')
      body.copy(whole, head.length)
      socket.write(whole)
    }
    this.connection.answered(this)
  }

  /**
   * Sends the head of an answer whose body follows. `length`: its bytes, where they are known. Throws TypeError for characters that a
   * header cannot have.
   */
  respond(status: number, headers: Readonly<Record<string, string | string[]>>, length?: number): void {
    const { 'content-length': named } = headers
    const known = length ?? (typeof named === 'string' && bodyLength.test(named) ? Number(named) : undefined)
    this.connection.socket.write(this.#begin(status, headers, known), 'latin1')
  }

  /** Whether the answer has begun. */
  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Whether the body of the answer is sent in chunks. */
  get isChunked(): boolean {
    return this.#framing === 'chunked'
  }

  #begin(status: number, headers: Readonly<Record<string, string | string[]>>, length: number | undefined): string {
    this.#hasAnswered = true
    const { method, isOld } = this.head
    const isBare = status === 204 || status === 304
    this.#framing = isBare || method === 'HEAD' ? 0 : (length ?? (isOld ? 'close' : 'chunked'))
    this.#toSend = typeof this.#framing === 'number' ? this.#framing : 0
    // a client that was not asked for its body may or may not send it
    if (headers.connection === 'close' || this.#waitsForContinue || this.#framing === 'close') this.keepAlive = false
    if (this.connection.isClosing || (status === 413 && !this.hasArrived)) this.keepAlive = false
    let framing = length === undefined || isBare ? '' : `content-length: ${length}\r\n`
    if (this.#framing === 'chunked') framing = 'transfer-encoding: chunked\r\n'
    if (!this.keepAlive) framing += 'connection: close\r\n'
    else if (isOld) framing += 'connection: keep-alive\r\n'
    return answerHead(status, headers, framing)
  }

  /** Returns false when the client does not keep up: wait for `drain`. `done` is called when the bytes have left or never will. */
  write(bytes: Buffer, done?: () => void): boolean {
    const { socket } = this.connection
    if (this.isClosed || bytes.length === 0 || this.#framing === 0) {
      done?.()
      return !this.isClosed && !socket.writableNeedDrain
    }
    if (this.#framing === 'chunked') {
      socket.cork()
      socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
      socket.write(bytes, done)
      socket.write(lineEnd)
      socket.uncork()
    } else {
      // more than was announced would be taken for the next answer
      if (this.#framing !== 'close' && (this.#toSend -= bytes.length) < 0) {
        done?.()
        this.destroy()
        return false
      }
      socket.write(bytes, done)
    }
    return !socket.writableNeedDrain
  }

  /** Sends the end. `close` follows when the client has taken everything. */
  end(): void {
    if (this.isClosed) return
    if (typeof this.#framing === 'number' && this.#toSend > 0) return this.destroy()
    this.isWritten = true
    this.connection.socket.write(this.#framing === 'chunked' ? lastChunk : '', () => this.connection.answered(this))
  }

  /** Ends the connection in a way that shows the client that the answer is not complete. */
  destroy(): void {
    this.connection.socket.destroy()
    this.closed()
  }

  /** Called by the connection when the answer has left, or never will. */
  closed(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.body?.fail()
    this.emit('close')
  }
}
