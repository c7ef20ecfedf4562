/** Requests and responses, whichever version of HTTP carries them. */
import type { Duplex, Readable } from 'node:stream'
import type { UserInfo } from './user.js'

/** A request as HTTP/1.1, HTTP/2 or inject pass it on. Header names are in lower case. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query as sent, without `base`. */
  readonly url: string
  /** Where the client finds this server: what it sent before `url`, when another server hands requests on to this one. */
  readonly base?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly remoteAddress: string
  /** Names and values in turn, as sent: `headers` joins those that came more than once. */
  rawHeaders(): readonly string[]
  /** The protocol to which the client wants to switch the connection, in lower case, where that is possible. */
  readonly upgrade?: string | undefined
  /** The sender of a request that comes from inside the process: nobody authenticates it again. */
  readonly trustedUser?: UserInfo | undefined
  /** DER of the client's certificate and its intermediates; empty when it showed none. The same array for one connection. */
  peerCertificates(): readonly Buffer[]
  /** The whole body. Rejects with StatusError 413 above `limit` bytes. */
  readBody(limit: number): Promise<Buffer>
  /** The body as it arrives, for those who pass it on; undefined when the request has none. */
  openBody(): OpenBody | undefined
  /** Calls `listener` once, when the client has the whole answer or has gone. */
  onClose(listener: () => void): void
  /** To be called when credentials have shown who the sender is: its connection then counts as a known client's. */
  onAuthenticated?(): void
  /** Makes this the last request of an HTTP/2 connection; does nothing for other connections. */
  endSession?(): void
  /** Resets the connection, with all requests on it, when everything that was written has been sent. */
  reset(): void
}

/** A body that is read as it comes. */
export interface OpenBody {
  readonly stream: Readable
  /** The bytes that it has, where its sender said so. */
  readonly length: number | undefined
}

/** Returns what a path of this server begins with for the client. */
export const baseOf = ({ base = '' }: Pick<IncomingRequest, 'base'>): string => base

/** Returns path and query as the client sent them. */
export const sentUrl = (request: Pick<IncomingRequest, 'base' | 'url'>): string => baseOf(request) + request.url

/** Takes the chunks of a streamed response. */
export interface Sink {
  /** Each write becomes a message of its own (WebSocket). */
  readonly messages?: boolean
  /** Returns false when the client does not keep up: wait for `onDrain`. */
  write(chunk: Buffer): boolean
  onDrain(listener: () => void): void
  onClose(listener: () => void): void
  end(): void
  /** Ends the connection in a way that shows the client that the answer is not complete. */
  abort(): void
}

/** A part of a body. `done` is called when the part has been sent, or will never be. */
export interface Piece {
  readonly bytes: Buffer
  done(): void
}

/** A body that is made while it is sent, as fast as the client takes it. */
export interface BodyPieces {
  /** Bytes of all pieces together; undefined when they are not known before the end. */
  readonly length: number | undefined
  /** Returns the next piece; undefined after the last one. */
  next(): Piece | undefined | Promise<Piece | undefined>
  /** Is called when no more pieces will be asked for. */
  close?(): void
}

/**
 * A connection in both directions, for exec, attach, port-forward and proxies. Over WebSocket each chunk is one message. The
 * stream's own backpressure holds in both directions.
 */
export interface Upgrade {
  /** The subprotocols that the endpoint speaks; the first that the client offers is chosen. For WebSocket. */
  readonly protocols?: readonly string[] | undefined
  /** Bytes that one message of the client may have. For WebSocket; 4 MiB when left out. */
  readonly maxMessageBytes?: number | undefined
  /** Called when the connection has been switched. `protocol`: the subprotocol that was chosen, or "". */
  open(connection: Duplex, protocol: string): void
}

export interface Response {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body?: Buffer | BodyPieces | undefined
  /** The object that the body shows, where one has been made for this answer. */
  readonly object?: unknown
  /** Whether the keys of `object` are sorted, as those of custom resources are. */
  readonly sorted?: boolean | undefined
  /** The body in JSON without spaces, where it has another form. Set only for requests whose answers are audited. */
  readonly json?: Buffer | BodyPieces | undefined
  /** Instead of a body: called when the headers are on their way. */
  readonly stream?: ((sink: Sink) => void) | undefined
  /** Instead of a body, with status 101: the connection is handed over. `headers.upgrade` names the protocol for all but WebSocket. */
  readonly upgrade?: Upgrade | undefined
  /**
   * The answer of another server, which is sent as it is, with its headers beside those of this one. `stream` is a body for WebSocket
   * clients, too. `upgrade` itself writes the answer to the request: it takes the bare connection, also that of a WebSocket.
   */
  readonly isPassedOn?: boolean | undefined
}

/** A response that is ready to be sent. */
export interface Answer extends Response {
  /** Milliseconds that the client has for taking the body. The connection ends after that. */
  readonly takeWithin: number
  /** To be called when the client has the whole answer or is gone, or when the server cuts the answer off (`aborted`). Further calls do nothing. */
  ended(aborted?: boolean): void
}

/** The server as an edge sees it. */
export type Handler = (request: IncomingRequest) => Promise<Answer>

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
