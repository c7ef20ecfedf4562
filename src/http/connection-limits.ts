/** What a connection may take. Times are milliseconds; those of kube-apiserver where it has them. */
export interface ConnectionLimits {
  /** For the TLS handshake. */
  readonly handshakeTimeout: number
  /** For the headers of a request, from the connection's start or the request's first byte on. HTTP/1.1. */
  readonly headersTimeout: number
  /** For a whole request with its body. Somewhat more than it has for its answer, which tells more. HTTP/1.1. */
  readonly requestTimeout: number
  /** Between requests. */
  readonly idleTimeout: number
  /** How often connections are looked over for these. */
  readonly checkInterval: number
  /** Bytes of a request's headers; more is refused (431). */
  readonly headerBytes: number
  /** Headers of a request over HTTP/2; over HTTP/1.1 there may be as many as fit into the bytes. */
  readonly headerPairs: number
  /** Requests at a time over one HTTP/2 connection. */
  readonly concurrentStreams: number
  /** Bytes of a body that nobody reads which are taken all the same, so that the connection can go on. HTTP/1.1. */
  readonly unreadBytes: number
  /** Connections whose client has not shown who it is; the oldest is closed for another one. */
  readonly unknown: number
  /** Bytes that these may have sent, all of them together, without a request having come of them. */
  readonly unknownBytes: number
}

export const connectionLimits: ConnectionLimits = {
  handshakeTimeout: 10_000,
  headersTimeout: 32_000,
  requestTimeout: 70_000,
  idleTimeout: 90_000,
  checkInterval: 1000,
  headerBytes: 1024 * 1024,
  headerPairs: 32 * 1024,
  concurrentStreams: 100,
  unreadBytes: 256 * 1024,
  unknown: 1000,
  unknownBytes: 16 * 1024 * 1024
}
