/** The narrow waist above everything: a request comes in as a RequestContext, a Response goes out. Neither knows HTTP's versions. */

import { parseQuery } from './query.js'
import type { RequestInfo } from './request-info.js'
import type { UserInfo } from './user.js'
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
  /** To be called when credentials have shown who the sender is: its connection then counts as a known client's. */
  onAuthenticated?(): void
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

/** A part of a body. `done` is called when it has been sent, or never will be. */
export interface Piece {
  readonly bytes: Buffer
  done(): void
}

/** A body that is made while it is sent, as fast as the client takes it. */
export interface BodyPieces {
  /** Bytes of all pieces together; undefined when nobody knows before the end. */
  readonly length: number | undefined
  /** The next piece; undefined after the last. */
  next(): Piece | undefined | Promise<Piece | undefined>
  /** No more pieces will be asked for. */
  close?(): void
}

export interface Response {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body?: Buffer | BodyPieces | undefined
  /** Instead of a body: called when the headers are on their way. */
  readonly stream?: ((sink: Sink) => void) | undefined
  /** Milliseconds that the client has for taking the body. The connection ends after that. */
  takeWithin?: number
  /** To be called once when the client has the whole answer, or is gone. Of a stream, when it has begun. */
  taken?: (() => void) | undefined
}

/** A whole body in one buffer. */
export async function wholeBody(body: Buffer | BodyPieces): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body
  const parts: Buffer[] = []
  for (let piece = await body.next(); piece; piece = await body.next()) {
    parts.push(Buffer.from(piece.bytes))
    piece.done()
  }
  return Buffer.concat(parts)
}

/**
 * What a request turned out to be for: a resource, with a subresource that it has, or a path that the server answers. Nothing of it
 * is what a client has made up, so it may label metrics.
 */
export interface RequestRoute {
  readonly group: string
  readonly version: string
  readonly resource: string
  /** A subresource's name; of a path outside the resources the path. */
  readonly subresource: string
}

export class RequestContext {
  readonly request: IncomingRequest
  readonly path: string
  readonly query: URLSearchParams
  readonly receivedAt: number
  readonly auditId: string
  info!: RequestInfo
  user!: UserInfo
  /** Set as soon as there is something to answer the request. */
  route: RequestRoute | undefined
  /** Set for requests that take longer than others should have to wait: they let others have their turn between their steps. */
  isLarge = false
  #warnings: Warnings | undefined
  #finished: ((response: Response) => void)[] | undefined
  #taken: (() => void)[] | undefined

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

  /** Called when the client has the whole answer or is gone; of a stream, when it has begun. */
  onTaken(listener: () => void): void {
    ;(this.#taken ??= []).push(listener)
  }

  /** Tells who listens that the response leaves. What is returned tells that it has been taken. */
  finish(response: Response): (() => void) | undefined {
    for (const listener of this.#finished ?? []) listener(response)
    const listeners = this.#taken
    return listeners && (() => listeners.splice(0).forEach(listener => void listener()))
  }
}

const noQuery = new URLSearchParams()
const none: readonly string[] = []
