/** The narrow waist above everything: a request comes in as a RequestContext, a Response goes out. Neither knows HTTP's versions. */
import type { UserInfo } from '../authentication/user.js'
import { parseQuery } from './query.js'
import type { RequestInfo } from './request-info.js'
import { Warnings } from './warnings.js'

/** What an edge (HTTP/1.1, HTTP/2, inject) hands in. Header names are lower case. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly remoteAddress: string
  /** Names and values in turn, as sent: `headers` joins what came more than once. */
  rawHeaders(): readonly string[]
  /** Set for requests that come from inside the process, whose sender is known. */
  readonly trustedUser?: UserInfo | undefined
  /** DER of the client's certificate and what came with it; empty when it showed none. The same array for one connection. */
  peerCertificates(): readonly Buffer[]
  /** The whole body. Rejects with StatusError 413 above `limit` bytes. */
  readBody(limit: number): Promise<Buffer>
  /** Called once when the client is gone before the response has ended. */
  onClose(listener: () => void): void
}

/** Where a streamed response goes. */
export interface Sink {
  /** Each write becomes a message of its own (WebSocket). */
  readonly messages?: boolean
  /** False when the client does not keep up: wait for `onDrain`. */
  write(chunk: Buffer): boolean
  onDrain(listener: () => void): void
  onClose(listener: () => void): void
  end(): void
}

/** A body that is made while it is sent. */
export interface BodyPieces {
  /** Bytes of all pieces together. */
  readonly length: number
  /** The next piece; undefined after the last. `done` is called when it has been sent, or never will be. */
  next(): { readonly bytes: Buffer; done(): void } | undefined
}

export interface Response {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body?: Buffer | BodyPieces | undefined
  /** Instead of a body: called when the headers are on their way. */
  readonly stream?: ((sink: Sink) => void) | undefined
}

/** A whole body in one buffer. */
export function wholeBody(body: Buffer | BodyPieces): Buffer {
  if (Buffer.isBuffer(body)) return body
  const whole = Buffer.allocUnsafeSlow(body.length)
  let at = 0
  for (let piece = body.next(); piece; piece = body.next()) {
    at += piece.bytes.copy(whole, at)
    piece.done()
  }
  return whole
}

export class RequestContext {
  readonly request: IncomingRequest
  readonly path: string
  readonly query: URLSearchParams
  readonly receivedAt: number
  readonly auditId: string
  info!: RequestInfo
  user!: UserInfo
  /** Set for requests that take longer than others should have to wait: they let others have their turn between their steps. */
  isLarge = false
  #warnings: Warnings | undefined
  #finished: ((response: Response) => void)[] | undefined

  constructor(request: IncomingRequest, receivedAt: number, auditId: string) {
    this.request = request
    this.receivedAt = receivedAt
    this.auditId = auditId
    const question = request.url.indexOf('?')
    this.path = question < 0 ? request.url : request.url.slice(0, question)
    this.query = question < 0 ? noQuery : parseQuery(request.url.slice(question + 1))
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name]
    return typeof value === 'string' ? value : value?.[0]
  }

  /** A Warning header of the answer (RFC 7234, 299). The same text is sent once. */
  warn(text: string): void {
    ;(this.#warnings ??= new Warnings()).add(text)
  }

  get warnings(): readonly string[] {
    return this.#warnings?.texts ?? none
  }

  /** Called with the response, whichever it is, right before it leaves. */
  onResponse(listener: (response: Response) => void): void {
    ;(this.#finished ??= []).push(listener)
  }

  finish(response: Response): void {
    for (const listener of this.#finished ?? []) listener(response)
  }
}

const noQuery = new URLSearchParams()
const none: readonly string[] = []
