/** Sends one HTTP/1.1 request over a connection of its own and waits for the head of the answer. */
import http from 'node:http'
import type { Duplex, Readable } from 'node:stream'

/** Most bytes in the head of an answer. */
const maxHeaderBytes = 1024 * 1024

export interface Outgoing {
  readonly method: string
  /** Path and query, escaped. */
  readonly url: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body?: Readable | undefined
}

export interface Incoming {
  /** Status and headers; also the body, unless the protocol was switched. */
  readonly head: http.IncomingMessage
  /** The connection, where the protocol was switched. */
  readonly switched: boolean
  readonly early: Buffer
}

/**
 * Rejects with Go's words when the connection ends before the head of an answer, and with the reason of `signal`. The connection is
 * destroyed when the exchange fails, and after the body.
 */
export function exchange(socket: Duplex, { method, url, headers, body }: Outgoing, signal?: AbortSignal): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    // Node would announce a body in pieces, whose end would come after a switch of the protocol
    const isEmpty = !body && method !== 'GET' && method !== 'HEAD' && !headers.some(name => /^content-length$/i.test(name))
    const request = http.request({
      createConnection: () => socket as never,
      method,
      path: url,
      headers: isEmpty ? [...headers, 'Content-Length', '0'] : [...headers],
      maxHeaderSize: maxHeaderBytes,
      setHost: false
    })
    const onAbort = () => socket.destroy()
    const settle = () => signal?.removeEventListener('abort', onAbort)
    signal?.addEventListener('abort', onAbort)
    if (signal?.aborted) onAbort()
    // a connection that breaks later shows in the answer
    request.on('error', error => {
      settle()
      socket.destroy()
      reject(signal?.aborted ? signal.reason : new Error(goWords(error)))
    })
    request.once('response', head => {
      settle()
      head.once('close', () => socket.destroy())
      resolve({ head, switched: false, early: Buffer.alloc(0) })
    })
    request.once('upgrade', (head, _, early: Buffer) => {
      settle()
      resolve({ head, switched: true, early })
    })
    if (!body) return void request.end()
    body.once('error', () => request.destroy())
    body.once('close', () => (body.readableEnded ? undefined : request.destroy()))
    body.pipe(request)
  })
}

const goWords = (error: NodeJS.ErrnoException): string =>
  error.code === 'ECONNRESET' || error.code === 'EPIPE'
    ? 'EOF'
    : error.code?.startsWith('HPE_')
      ? 'malformed HTTP response'
      : error.message
