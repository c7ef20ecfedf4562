/** Sends one HTTP/1.1 request to another server and waits for the head of the answer. */
import http from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { asGoError, deadlineExceeded } from '../webhooks/go-errors.js'
import { DialError } from './dial.js'
import type { Upstream } from './upstream.js'

/** The most bytes in the head of an answer. */
const maxHeaderBytes = 1024 * 1024

export interface Outgoing {
  readonly method: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body?: Readable | undefined
}

export interface Incoming {
  /** Status and headers; also the body, unless the protocol was switched. */
  readonly head: http.IncomingMessage
  /** Where the protocol was switched. */
  readonly connection: Duplex | undefined
}

/** No answer came. The message is Go's. */
export class ExchangeError extends Error {
  /** Whether a connection that was used before turned out to be closed, so that another one may work. */
  readonly isStale: boolean

  constructor(message: string, isStale: boolean) {
    super(message)
    this.isStale = isStale
  }
}

const staleCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** Node announces no body for these methods when there is none. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/**
 * Rejects with DialError or ExchangeError when there is no answer, and with the reason of `signal`. A connection that is not kept for
 * others is destroyed when the exchange fails, and after the body.
 */
export function exchange(
  { dial, target, agent, path, query, timeoutMs }: Upstream,
  { method, headers, body }: Outgoing,
  signal: AbortSignal
): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // Node would announce a body in pieces, whose end would come after a switch of the protocol
    const isEmpty =
      !body && !withoutBody.has(method) && !headers.some((name, at) => at % 2 === 0 && /^content-length$/i.test(name))
    const request = http.request({
      host: target.host,
      port: target.port,
      ...(agent
        ? { agent }
        : {
            createConnection: (_, opened) =>
              void dial(target, signal).then(
                socket => opened(null, socket),
                error => opened(error, undefined as never)
              )
          }),
      method,
      path: path + query,
      headers: isEmpty ? [...headers, 'Content-Length', '0'] : [...headers],
      maxHeaderSize: maxHeaderBytes,
      setHost: false
    })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    // a request that still waits for its connection does not report that it was destroyed
    const fail = (error: Error) => {
      settle()
      request.destroy()
      reject(error)
    }
    const onAbort = () => fail(signal.reason as Error)
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => fail(new ExchangeError(deadlineExceeded, false)), timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })
    // a connection that breaks later shows in the answer
    request.on('error', error => {
      const isStale = request.reusedSocket && staleCodes.has((error as NodeJS.ErrnoException).code ?? '')
      fail(error instanceof DialError ? error : new ExchangeError(asGoError(error), isStale))
    })
    request.once('response', head => {
      settle()
      if (!agent) head.once('close', () => request.destroy())
      resolve({ head, connection: undefined })
    })
    request.once('upgrade', (head, connection, early) => {
      settle()
      // without a listener, an error would end the process
      connection.on('error', () => connection.destroy())
      if (early.length > 0) connection.unshift(early)
      resolve({ head, connection })
    })
    if (!body) return void request.end()
    // the client went away before its body was complete
    body.once('error', () => request.destroy())
    body.once('close', () => body.readableEnded || request.destroy())
    body.pipe(request)
  })
}
