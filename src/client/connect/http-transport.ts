/** Sends a client's requests over the network. */
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../../apimachinery/request/injected.js'
import { refusal } from '../connection.js'
import type { OpenWebSocket, Transport } from '../transport.js'
import type { ClusterAccess } from './access.js'
import type { CallAnswer } from './call.js'
import { dial } from './dial.js'
import { ConnectionError, NotProcessed } from './errors.js'
import type { Http2Options } from './http2.js'
import { ServerConnections } from './server-connections.js'
import { TokenBucket } from './token-bucket.js'
import { openWebSocket } from './web-socket.js'

/** How often a request is sent again: client-go's. */
const maxRetries = 10
/** How often a read is sent again after its connection broke. */
const maxBroken = 3
const brokenPauseMs = 100
/** The longest that a server may ask to wait. */
const maxRetryAfterMs = 60_000
/** The most bytes of an answer that is read as a whole. */
const maxAnswerBytes = 1024 ** 3

/**
 * What `onAnswer` is told of a request.
 *
 * @example
 * const client = await connect({ onAnswer: ({ method, code, ms }) => requests.observe({ method, code }, ms / 1000) })
 */
export interface AnsweredRequest {
  readonly method: string
  /** `10.0.0.1:6443` */
  readonly host: string
  /** The path without its query. */
  readonly path: string
  /** The status code; undefined when there was no answer. */
  readonly code: number | undefined
  /** Milliseconds until the head of the answer. */
  readonly ms: number
}

export interface HttpTransportOptions {
  readonly access: ClusterAccess
  /** Undefined for no limit. */
  readonly rateLimit: { readonly qps: number; readonly burst: number } | undefined
  /** Milliseconds until the head of an answer must be there. */
  readonly timeoutMs: number
  readonly onAnswer: ((request: AnsweredRequest) => void) | undefined
  readonly pings?: Http2Options['pings']
}

export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  readonly #connections: ServerConnections
  readonly #bucket: TokenBucket | undefined
  readonly #closed = new AbortController()
  /** The path of the server's URL, which stands before those of requests. */
  readonly #base: string

  constructor(options: HttpTransportOptions) {
    this.#options = options
    const { access, rateLimit, pings } = options
    this.#base = access.server.pathname.replace(/\/$/, '')
    this.#connections = new ServerConnections(access, pings)
    if (rateLimit) this.#bucket = new TokenBucket(rateLimit.qps, rateLimit.burst)
  }

  get isOpen(): boolean {
    return !this.#closed.signal.aborted
  }

  get namespace(): string {
    return this.#options.access.namespace
  }

  /** Lists come as watches, which costs the server less memory (KEP-3157). */
  get hasWatchLists(): boolean {
    return true
  }

  known(): undefined {
    return undefined
  }

  async send(request: InjectedRequest): Promise<InjectedResponse> {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs)
    const answer = await this.#exchange(request, AbortSignal.any([timeout, this.#closed.signal]))
    const body = await this.#read(answer)
    return { status: answer.status, headers: answer.headers, body, json: () => JSON.parse(body.toString()) }
  }

  async open(request: InjectedRequest, signal?: AbortSignal): Promise<StreamedAnswer> {
    const head = new AbortController()
    const timer = setTimeout(() => head.abort(new Error('the server did not answer in time')), this.#options.timeoutMs).unref()
    const ended = AbortSignal.any([head.signal, this.#closed.signal, ...(signal ? [signal] : [])])
    const answer = await this.#exchange(request, ended).finally(() => clearTimeout(timer))
    return this.#streamed(answer)
  }

  async webSocket(request: InjectedRequest, protocols: readonly string[], signal?: AbortSignal): Promise<OpenWebSocket> {
    const { access } = this.#options
    const timeout = AbortSignal.timeout(this.#options.timeoutMs)
    await this.#turn(AbortSignal.any([timeout, this.#closed.signal]))
    for (let attempt = 0; ; attempt++) {
      const headers = await this.#headers(request)
      const socket = await dial(access, await access.credentials.certificate(), ['http/1.1'])
      const { host } = access.server
      const stop = () => socket.destroy(this.#closed.signal.reason)
      const opening = openWebSocket(socket, { host, path: this.#base + request.url, headers, protocols })
      timeout.addEventListener('abort', stop)
      const opened = await opening
        .catch(error => {
          socket.destroy()
          throw this.#failed(error)
        })
        .finally(() => timeout.removeEventListener('abort', stop))
      if ('refused' in opened) {
        const { status, headers, text } = opened.refused
        if (status === 401 && attempt === 0 && (await access.credentials.renew())) continue
        throw refusal(status, headers, text)
      }
      const { connection } = opened
      for (const ending of [this.#closed.signal, ...(signal ? [signal] : [])]) {
        const end = () => void connection.destroy(ending.reason as Error)
        ending.addEventListener('abort', end, { once: true })
        connection.once('close', () => ending.removeEventListener('abort', end))
      }
      return opened
    }
  }

  close(): void {
    this.#closed.abort(new Error('the client has been closed'))
    this.#connections.close()
  }

  /** Sends a request, and again where that is safe. */
  async #exchange(request: InjectedRequest, signal: AbortSignal): Promise<CallAnswer> {
    const isRead = (request.method ?? (request.body === undefined ? 'GET' : 'POST')) === 'GET'
    let broken = 0
    let hasRenewed = false
    for (let attempt = 0; ; attempt++) {
      await this.#turn(signal)
      let answer: CallAnswer
      try {
        answer = await this.#attempt(request, signal)
      } catch (error) {
        if (signal.aborted) throw this.#aborted(signal, error)
        // what the server has not begun, and what changes nothing, may be sent again
        const isSafe = error instanceof NotProcessed || (isRead && !(error instanceof ConnectionError))
        if (!isSafe || !this.isOpen || ++broken > maxBroken) throw this.#failed(error)
        await pause(broken === 1 ? 0 : brokenPauseMs * 2 ** broken, signal)
        continue
      }
      if (answer.status === 401 && !hasRenewed) {
        hasRenewed = true
        if (await this.#options.access.credentials.renew()) {
          answer.body.destroy()
          continue
        }
      }
      const wait = attempt < maxRetries ? retryAfter(answer) : undefined
      if (wait === undefined) return answer
      answer.body.resume()
      await pause(wait, signal)
    }
  }

  async #attempt(request: InjectedRequest, signal: AbortSignal): Promise<CallAnswer> {
    const { access, onAnswer } = this.#options
    const { body } = request
    const method = request.method ?? (body === undefined ? 'GET' : 'POST')
    const compressed: Record<string, string> = access.compress && method === 'GET' ? { 'accept-encoding': 'gzip' } : {}
    const headers = { ...compressed, ...(await this.#headers(request)) }
    const began = performance.now()
    const told = (code: number | undefined) =>
      onAnswer?.({
        method,
        host: access.server.host,
        path: request.url.split('?', 1)[0]!,
        code,
        ms: performance.now() - began
      })
    try {
      const answer = await this.#connections.call({
        method,
        path: this.#base + request.url,
        headers,
        body: bytesOf(body),
        signal
      })
      told(answer.status)
      return answer
    } catch (error) {
      told(undefined)
      throw error
    }
  }

  async #headers({ user, headers }: InjectedRequest): Promise<Record<string, string | string[]>> {
    const { credentials, headers: own } = this.#options.access
    const authorization = await credentials.authorization()
    return {
      ...own,
      ...(user ? impersonating(user) : {}),
      ...headers,
      ...(authorization === undefined ? {} : { authorization })
    }
  }

  /** Waits for a turn under the rate limit. */
  async #turn(signal: AbortSignal): Promise<void> {
    const wait = this.#bucket?.take() ?? 0
    if (wait > 0) await pause(wait, signal)
  }

  #aborted(signal: AbortSignal, error: unknown): unknown {
    return (signal.reason as Error | undefined)?.name === 'TimeoutError'
      ? new ConnectionError(this.#options.access.server.origin, new Error('the server did not answer in time'))
      : (signal.reason ?? error)
  }

  #failed(error: unknown): unknown {
    if (error instanceof ConnectionError || !isSocketError(error)) return error
    return new ConnectionError(this.#options.access.server.origin, error as Error)
  }

  async #read({ body, headers, isWhole }: CallAnswer): Promise<Buffer> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxAnswerBytes) throw new Error(`the answer has more than ${maxAnswerBytes} bytes`)
        chunks.push(chunk)
      }
      if (!isWhole()) throw new Error(brokenOff)
    } catch (error) {
      throw this.#failed(error)
    }
    const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    return headers['content-encoding'] === 'gzip' ? inflate(whole, { maxOutputLength: maxAnswerBytes }) : whole
  }

  #streamed({ status, headers, body, isWhole }: CallAnswer): StreamedAnswer {
    const source: Readable = headers['content-encoding'] === 'gzip' ? body.pipe(createGunzip()) : body
    if (source !== body) body.once('error', error => source.destroy(error))
    const chunks = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
    let isClosed = false
    return {
      status,
      headers,
      next: async () => {
        try {
          const { value, done } = await chunks.next()
          if (!done) return value
          if (isClosed || isWhole()) return undefined
          throw new Error(brokenOff)
        } catch (error) {
          if (isClosed) return undefined
          throw this.#closed.signal.aborted ? this.#closed.signal.reason : this.#failed(error)
        }
      },
      close() {
        isClosed = true
        source.destroy()
        body.destroy()
      }
    }
  }
}

const brokenOff = 'the server closed the connection before the end of the answer'
const inflate = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

/** Milliseconds after which the server wants to be asked again; undefined when it does not say so. */
function retryAfter({ status, headers }: CallAnswer): number | undefined {
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  if ((status !== 429 && status < 500) || !Number.isFinite(seconds) || seconds < 0) return undefined
  return Math.min(seconds * 1000, maxRetryAfterMs)
}

function impersonating({
  name,
  uid,
  groups = [],
  extra = {}
}: NonNullable<InjectedRequest['user']>): Record<string, string | string[]> {
  const more = Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, [...values]])
  return {
    'impersonate-user': name,
    ...(uid ? { 'impersonate-uid': uid } : {}),
    ...(groups.length > 0 ? { 'impersonate-group': [...groups] } : {}),
    ...Object.fromEntries(more)
  }
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

const isSocketError = (error: unknown): boolean =>
  error instanceof NotProcessed ||
  (error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string') ||
  (error instanceof Error && /^the server (closed|gives|did)/.test(error.message))

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const aborted = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', aborted, { once: true })
  })
}
