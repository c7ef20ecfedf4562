/**
 * Sends one HTTP/1.1 request to another server and waits for the head of the answer. Users share the connections, and the other server
 * trusts what comes over them. So no user may decide where a request ends: this file writes the headers of framing and of the
 * connection itself, to fit the body that it sends.
 */
import http from 'node:http'
import type { Duplex } from 'node:stream'
import type { OpenBody } from '../../apimachinery/request/message.js'
import { goQuote } from '../../util/go-format.js'
import { asGoError, deadlineExceeded } from '../webhooks/go-errors.js'
import { DialError } from './dial.js'
import type { Upstream } from './upstream.js'

/** The most bytes in the head of an answer. */
const maxHeaderBytes = 1024 * 1024

/** The most bytes of informational answers (status 1xx) before the head of an answer, as in Go's client. */
const maxInformationalBytes = 1024 * 1024

export interface Outgoing {
  readonly method: string
  /** Names and values in turn, without those of `framing`. */
  readonly headers: readonly string[]
  /** Its bytes must be as many as its length says; with another number, the connection is destroyed. */
  readonly body?: OpenBody | undefined
  /** The protocol to which the other server is asked to switch, as the Upgrade header names it. There is no body then. */
  readonly upgrade?: string | undefined
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

/** The other server switched to a protocol that it was not asked for. The message is that of Go's reverse proxy. */
export class UnaskedSwitchError extends ExchangeError {
  constructor(message: string) {
    super(message, false)
  }
}

const staleCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** The headers that say where a request ends, and what becomes of its connection. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade'])

/** A request with these methods may leave out that it has no body. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** Returns the headers of framing: a body has exactly one length, in bytes or in chunks. Throws for headers that already have one. */
function framed({ method, headers, body, upgrade }: Outgoing): string[] {
  for (let at = 0; at < headers.length; at += 2)
    if (framing.has(headers[at]!.toLowerCase())) throw new TypeError(`the header ${headers[at]} is not the caller's to set`)
  if (upgrade !== undefined) {
    if (body) throw new TypeError('a request that asks for another protocol has no body')
    return [...headers, ...lengthOf(method), 'Connection', 'Upgrade', 'Upgrade', upgrade]
  }
  if (!body) return [...headers, ...lengthOf(method)]
  return [...headers, ...(body.length === undefined ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)])]
}

/** Node would announce a body in pieces, whose end would come after a switch of the protocol. */
const lengthOf = (method: string): string[] => (withoutBody.has(method) ? [] : ['Content-Length', '0'])

/**
 * Rejects with DialError or ExchangeError when there is no answer, and with the reason of `signal`. A connection that is not kept for
 * others is destroyed when the exchange fails, and after the body.
 */
export function exchange(
  { dial, target, agent, path, query, timeoutMs }: Upstream,
  outgoing: Outgoing,
  signal: AbortSignal
): Promise<Incoming> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const { method, body, upgrade } = outgoing
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
      path: (path || '/') + query,
      headers: framed(outgoing),
      maxHeaderSize: maxHeaderBytes,
      setHost: false
    })
    let isSettled = false
    const settle = () => {
      isSettled = true
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    // a request that still waits for its connection does not report that it was destroyed
    const fail = (error: Error) => {
      // what goes wrong after the head shows in the answer, whose bytes `destroy` would throw away
      if (isSettled) return
      settle()
      request.destroy()
      reject(error)
    }
    const onAbort = () => fail(signal.reason as Error)
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => fail(new ExchangeError(deadlineExceeded, false)), timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })
    request.on('error', error => {
      const isStale = request.reusedSocket && staleCodes.has((error as NodeJS.ErrnoException).code ?? '')
      fail(error instanceof DialError ? error : new ExchangeError(asGoError(error), isStale))
    })
    request.once('response', head => {
      // the other statuses under 200 come as information
      if (head.statusCode! < 200) return fail(switchError(head, upgrade))
      settle()
      if (!agent) head.once('close', () => request.destroy())
      resolve({ head, connection: undefined })
    })
    let informationalBytes = 0
    request.on('information', ({ rawHeaders }) => {
      informationalBytes += rawHeaders.reduce((bytes, text) => bytes + text.length + 2, 16)
      if (informationalBytes > maxInformationalBytes)
        fail(new ExchangeError('net/http: too many 1xx informational responses', false))
    })
    request.once('upgrade', (head, connection, early) => {
      // without a listener, an error would end the process
      connection.on('error', () => connection.destroy())
      if (!isSwitch(head, upgrade)) {
        connection.destroy()
        return fail(switchError(head, upgrade))
      }
      settle()
      if (early.length > 0) connection.unshift(early)
      resolve({ head, connection })
    })
    if (body) sendBody(body, request)
    else request.end()
  })
}

/** Sends a body of the length that was announced. With more or fewer bytes, the rest would count as the next request. */
function sendBody({ stream, length }: OpenBody, request: http.ClientRequest): void {
  let sent = 0
  // before the request takes the piece
  stream.on('data', (piece: Buffer) => {
    sent += piece.length
    if (length !== undefined && sent > length) request.destroy()
  })
  stream.once('end', () => length !== undefined && sent !== length && request.destroy())
  // the client went away before its body was complete
  stream.once('error', () => request.destroy())
  stream.once('close', () => stream.readableEnded || request.destroy())
  stream.pipe(request)
}

/** Whether an answer switches to the protocol that was asked for, or to one of them, as Go compares them. */
function isSwitch({ headers }: http.IncomingMessage, asked: string | undefined): boolean {
  const lower = (text: string) => text.trim().toLowerCase()
  const protocol = lower(headers.upgrade ?? '')
  return protocol !== '' && asked !== undefined && [asked, ...asked.split(',')].some(one => lower(one) === protocol)
}

function switchError({ statusCode, headers }: http.IncomingMessage, asked = ''): ExchangeError {
  if (statusCode !== 101) return new ExchangeError(`malformed HTTP status code ${goQuote(String(statusCode))}`, false)
  const isNamed = /(?:^|,)\s*upgrade\s*(?:,|$)/i.test(headers.connection ?? '')
  const protocol = isNamed ? (headers.upgrade ?? '') : ''
  if (/[^\x20-\x7e]/.test(protocol))
    return new UnaskedSwitchError(`backend tried to switch to invalid protocol ${goQuote(protocol)}`)
  return new UnaskedSwitchError(
    protocol === asked
      ? 'internal error: 101 switching protocols response with non-writable body'
      : `backend tried to switch protocol ${goQuote(protocol)} when ${goQuote(asked)} was requested`
  )
}
