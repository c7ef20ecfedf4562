/**
 * Connections with HTTP/2, as client-go keeps them: many requests on one connection, which is asked for a sign of life, and given up
 * when there is none.
 */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Call, CallAnswer, Connections } from './call.js'
import { Broken, NotProcessed } from './errors.js'

/** client-go's ReadIdleTimeout and PingTimeout. */
const pingEveryMs = 30_000
const pongWithinMs = 15_000

/** How many streams a server is assumed to take until it says so: kube-apiserver takes 100. */
const assumedStreams = 100
/** The bytes that may come before they are read: for one stream, and for all. */
const streamWindow = 1024 * 1024
const sessionWindow = 8 * 1024 * 1024

export interface Http2Options {
  readonly server: URL
  dial(): Promise<Duplex>
  /** A connection that is there already. */
  readonly first?: Duplex | undefined
  /** Milliseconds between signs of life, and until one must have come. */
  readonly pings?: { readonly everyMs: number; readonly withinMs: number } | undefined
}

/** A connection, and what is under way on it. */
interface Session {
  readonly session: ClientHttp2Session
  streams: number
  limit: number
  /** Whether it takes new requests. */
  isOpen: boolean
  /** The last stream that the server works on, after it has said goodbye. */
  lastStream: number
}

export class Http2Connections implements Connections {
  readonly #options: Http2Options
  readonly #sessions = new Set<Session>()
  #dialing: Promise<Session> | undefined
  #isRetired = false

  constructor(options: Http2Options) {
    this.#options = options
    if (options.first) this.#dialing = this.#begin(Promise.resolve(options.first))
  }

  async call(call: Call): Promise<CallAnswer> {
    const session = await this.#free()
    call.signal?.throwIfAborted()
    const { host, protocol } = this.#options.server
    const { method, path, headers, body, signal } = call
    let stream: ClientHttp2Stream
    try {
      stream = session.session.request(
        {
          ...headers,
          ...(body === undefined ? {} : { 'content-length': String(body.length) }),
          ':method': method,
          ':path': path,
          ':scheme': protocol.slice(0, -1),
          ':authority': host
        },
        { endStream: body === undefined }
      )
    } catch (error) {
      // the connection has just been closed
      session.isOpen = false
      throw new NotProcessed((error as Error).message, { cause: error })
    }
    session.streams++
    stream.once('close', () => this.#left(session))
    if (body !== undefined) stream.end(body)
    return answerOf(stream, session, signal)
  }

  async retire(): Promise<void> {
    this.#isRetired = true
    await Promise.all(
      [...this.#sessions].map(session => {
        session.isOpen = false
        return new Promise<void>(resolve => session.session.close(resolve))
      })
    )
  }

  close(): void {
    this.#isRetired = true
    for (const { session } of this.#sessions) session.destroy()
    this.#dialing?.then(
      ({ session }) => session.destroy(),
      () => {}
    )
  }

  /** Resolves with a connection that takes another request. */
  async #free(): Promise<Session> {
    for (;;) {
      if (this.#isRetired) throw new NotProcessed('the connections are closed')
      for (const session of this.#sessions) if (session.isOpen && session.streams < session.limit) return session
      this.#dialing ??= this.#begin(this.#options.dial())
      const dialing = this.#dialing
      const forget = () => {
        if (this.#dialing === dialing) this.#dialing = undefined
      }
      const session = await dialing.finally(forget)
      if (session.isOpen && session.streams < session.limit) return session
    }
  }

  async #begin(dialing: Promise<Duplex>): Promise<Session> {
    const socket = await dialing
    const http2 = connect(this.#options.server.origin, {
      createConnection: () => socket,
      settings: { initialWindowSize: streamWindow, enablePush: false }
    })
    http2.setLocalWindowSize(sessionWindow)
    // whoever waits for an answer holds the process, not the connection
    http2.unref()
    const session: Session = { session: http2, streams: 0, limit: assumedStreams, isOpen: !this.#isRetired, lastStream: Infinity }
    this.#sessions.add(session)
    http2.on('remoteSettings', ({ maxConcurrentStreams }) => (session.limit = maxConcurrentStreams ?? assumedStreams))
    http2.on('goaway', (_, lastStream) => {
      session.isOpen = false
      session.lastStream = lastStream
    })
    http2.on('error', () => (session.isOpen = false))
    const pings = this.#keepAlive(session)
    http2.once('close', () => {
      session.isOpen = false
      this.#sessions.delete(session)
      clearInterval(pings)
    })
    if (this.#isRetired) http2.close()
    return session
  }

  /** A connection whose other end is gone without a word looks like one on which nothing happens. */
  #keepAlive({ session }: Session): NodeJS.Timeout {
    const { everyMs, withinMs } = this.#options.pings ?? { everyMs: pingEveryMs, withinMs: pongWithinMs }
    return setInterval(() => {
      if (session.destroyed || session.closed) return
      const late = setTimeout(() => session.destroy(new Broken('the server gives no sign of life')), withinMs).unref()
      session.ping(() => clearTimeout(late))
    }, everyMs).unref()
  }

  #left(session: Session): void {
    session.streams--
    if (session.streams === 0 && this.#sessions.size > 1) {
      session.isOpen = false
      session.session.close()
    }
  }
}

function answerOf(stream: ClientHttp2Stream, session: Session, signal: AbortSignal | undefined): Promise<CallAnswer> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      stream.close(constants.NGHTTP2_CANCEL)
      reject(signal!.reason)
    }
    if (signal) {
      signal.addEventListener('abort', abort, { once: true })
      stream.once('close', () => signal.removeEventListener('abort', abort))
    }
    const broken = (error?: Error) => {
      const wasRefused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || (stream.id ?? 0) > session.lastStream
      const why = error ?? new Broken('the server closed the connection')
      reject(wasRefused ? new NotProcessed(why.message, { cause: why }) : why)
    }
    stream.on('error', broken)
    stream.once('close', () => broken())
    stream.once('response', headers => {
      const { ':status': status, ...others } = headers
      // a stream that was reset just ends
      const isWhole = () => !stream.aborted && !stream.rstCode
      resolve({ status: Number(status), headers: plain(others), body: stream, isWhole })
    })
  })
}

/** Without the fields that begin with a colon, and those that Node.js adds. */
const plain = (headers: IncomingHttpHeaders): CallAnswer['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as CallAnswer['headers']
