/** The limits of connections. Times are in milliseconds, and are kube-apiserver's where it has the same limit. */
export interface ConnectionLimits {
  /** For the TLS handshake. */
  readonly handshakeTimeout: number
  /** For the headers of a request, from the start of the connection or the first byte of the request. HTTP/1.1. */
  readonly headersTimeout: number
  /** For a whole request with its body. A little longer than the timeout of the answer, whose error is more helpful. HTTP/1.1. */
  readonly requestTimeout: number
  /** Between requests. */
  readonly idleTimeout: number
  /** The interval at which connections are checked for these limits. */
  readonly checkInterval: number
  /** Bytes of a request's headers; more is refused (431). */
  readonly headerBytes: number
  /** Headers of a request over HTTP/2. Over HTTP/1.1 only the bytes are limited. */
  readonly headerPairs: number
  /** Concurrent requests over one HTTP/2 connection. */
  readonly concurrentStreams: number
  /** Bytes of an unwanted body that are read and discarded, so that the connection can go on. HTTP/1.1. */
  readonly unreadBytes: number
  /** Connections whose client has not authenticated; one more closes the oldest. */
  readonly unknown: number
  /** Bytes that all these connections together may have sent beyond their complete requests. */
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
