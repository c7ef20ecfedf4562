/** Sends a client's requests over the network. */
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { setTimeout as elapsed } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import type { InjectedRequest, InjectedResponse, StreamedAnswer } from '../../apimachinery/request/injected.js'
import { systemClock } from '../../util/clock.js'
import { Bucket } from '../../util/rate-limits.js'
import { refusal } from '../connection.js'
import type { OpenWebSocket, Transport } from '../transport.js'
import type { ClusterAccess } from './access.js'
import type { AnsweredRequest } from './answered-request.js'
import type { CallAnswer } from './call.js'
import { Deadline } from './deadline.js'
import { dial } from './dial.js'
import { Broken, ConnectionError, NotProcessed } from './errors.js'
import type { Http2Options } from './http2.js'
import { ServerConnections } from './server-connections.js'
import { openWebSocket, type Refused } from './web-socket.js'

/** How often a request is sent again: client-go's. */
const maxRetries = 10
/** How often a read is sent again after its connection broke. */
const maxBroken = 3
const brokenPauseMs = 100
/** The longest that a server may ask to wait. */
const maxRetryAfterMs = 60_000
/** The most bytes of an answer that is read as a whole. */
const maxAnswerBytes = 1024 ** 3

export interface HttpTransportOptions {
  readonly access: ClusterAccess
  /** Undefined for no limit. */
  readonly rateLimit: { readonly qps: number; readonly burst: number } | undefined
  /** Milliseconds until the head of an answer must be there. */
  readonly timeoutMs: number
  readonly pings?: Http2Options['pings']
}

/** An answer whose body is to be read, and the time that it has. */
interface Exchanged {
  readonly answer: CallAnswer
  readonly deadline: Deadline
}

export class HttpTransport implements Transport {
  readonly #options: HttpTransportOptions
  readonly #connections: ServerConnections
  readonly #bucket: Bucket | undefined
  readonly #closed = new AbortController()
  readonly #listeners = new Set<(request: AnsweredRequest) => void>()
  /** The path of the server's URL, which stands before those of requests. */
  readonly #base: string

  constructor(options: HttpTransportOptions) {
    this.#options = options
    const { access, rateLimit, pings } = options
    this.#base = access.server.pathname.replace(/\/$/, '')
    this.#connections = new ServerConnections(access, pings)
    if (rateLimit) this.#bucket = new Bucket(rateLimit.qps, rateLimit.burst, systemClock)
  }

  /** Calls the listener for each request. Returns what ends that. */
  onAnswer(listener: (request: AnsweredRequest) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  get isOpen(): boolean {
    return !this.#closed.signal.aborted
  }

  get namespace(): string {
    return this.#options.access.namespace
  }

  /** Lists come as watches, which costs the server less memory (KEP-3157). */
  get isDistant(): boolean {
    return true
  }

  known(): undefined {
    return undefined
  }

  async send(request: InjectedRequest, signal?: AbortSignal): Promise<InjectedResponse> {
    const { answer, deadline } = await this.#exchange(request, signal)
    try {
      const body = await this.#read(answer)
      return { status: answer.status, headers: answer.headers, body, json: () => JSON.parse(body.toString()) }
    } catch (error) {
      throw deadline.signal.aborted ? this.#failed(deadline.signal.reason) : error
    } finally {
      deadline.end()
    }
  }

  async open(request: InjectedRequest, signal?: AbortSignal): Promise<StreamedAnswer> {
    const { answer, deadline } = await this.#exchange(request, signal)
    deadline.answered()
    answer.body.once('close', () => deadline.end())
    return this.#streamed(answer)
  }

  async webSocket(request: InjectedRequest, protocols: readonly string[], signal?: AbortSignal): Promise<OpenWebSocket> {
    const { access } = this.#options
    for (let attempt = 0; ; attempt++) {
      await this.#pause(this.#bucket?.when() ?? 0, signal)
      const opened = await this.#openWebSocket(request, protocols, signal)
      if (!('refused' in opened)) return opened
      const { status, headers, text } = opened.refused
      if (status !== 401 || attempt > 0 || !(await access.credentials.renew())) throw refusal(status, headers, text)
    }
  }

  async #openWebSocket(
    request: InjectedRequest,
    protocols: readonly string[],
    signal: AbortSignal | undefined
  ): Promise<OpenWebSocket | { readonly refused: Refused }> {
    const { access, timeoutMs } = this.#options
    const headers = await this.#headers(request)
    const socket = await dial(access, await access.credentials.certificate(), ['http/1.1'])
    const deadline = new Deadline(timeoutMs, [this.#closed.signal, signal])
    deadline.signal.addEventListener('abort', () => socket.destroy(deadline.signal.reason as Error), { once: true })
    try {
      const { host } = access.server
      const opened = await openWebSocket(socket, { host, path: this.#base + request.url, headers, protocols })
      deadline.answered()
      if ('refused' in opened) deadline.end()
      else opened.connection.once('close', () => deadline.end())
      return opened
    } catch (error) {
      deadline.end()
      socket.destroy()
      throw this.#failed(error)
    }
  }

  close(): void {
    this.#closed.abort(new Error('the client has been closed'))
    this.#connections.close()
  }

  /** Sends a request, and again where that is safe. Each attempt has the whole time, and waiting for its turn none. */
  async #exchange(request: InjectedRequest, signal: AbortSignal | undefined): Promise<Exchanged> {
    const isRead = methodOf(request) === 'GET'
    let broken = 0
    let hasRenewed = false
    for (let attempt = 0; ; attempt++) {
      await this.#pause(this.#bucket?.when() ?? 0, signal)
      const deadline = new Deadline(this.#options.timeoutMs, [this.#closed.signal, signal])
      let answer: CallAnswer
      try {
        answer = await this.#attempt(request, deadline.signal)
      } catch (error) {
        deadline.end()
        // what the server has not begun, and what changes nothing, may be sent again
        const isSafe = error instanceof NotProcessed || (isRead && !(error instanceof ConnectionError))
        if (deadline.signal.aborted) throw this.#failed(deadline.signal.reason)
        if (!isSafe || ++broken > maxBroken) throw this.#failed(error)
        await this.#pause(broken === 1 ? 0 : brokenPauseMs * 2 ** broken, signal)
        continue
      }
      const mayRenew: boolean = answer.status === 401 && !hasRenewed
      const wait = attempt < maxRetries ? retryAfter(answer) : undefined
      if (!(mayRenew && (await this.#options.access.credentials.renew())) && wait === undefined) return { answer, deadline }
      hasRenewed ||= mayRenew
      // the rest of the answer is not read
      answer.body.on('error', () => {}).destroy()
      deadline.end()
      await this.#pause(wait ?? 0, signal)
    }
  }

  async #attempt(request: InjectedRequest, signal: AbortSignal): Promise<CallAnswer> {
    const { access } = this.#options
    const method = methodOf(request)
    const compressed: Record<string, string> = access.compress && method === 'GET' ? { 'accept-encoding': 'gzip' } : {}
    const headers = { ...compressed, ...(await this.#headers(request)) }
    const path = request.url.split('?', 1)[0]!
    const began = performance.now()
    const told = (code: number | undefined) => {
      const ms = performance.now() - began
      for (const listener of this.#listeners) listener({ method, host: access.server.host, path, code, ms })
    }
    try {
      const call = { method, path: this.#base + request.url, headers, body: bytesOf(request.body), signal }
      const answer = await this.#connections.call(call)
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

  /** Waits, unless the client is closed or the signal aborts. */
  async #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    this.#closed.signal.throwIfAborted()
    signal?.throwIfAborted()
    if (milliseconds === 0) return
    const waiting = new Deadline(undefined, [this.#closed.signal, signal])
    try {
      await elapsed(milliseconds, undefined, { signal: waiting.signal })
    } catch {
      throw waiting.signal.reason
    } finally {
      waiting.end()
    }
  }

  #failed(error: unknown): unknown {
    if (error instanceof ConnectionError || !isOfConnection(error)) return error
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
      if (!isWhole()) throw new Broken(brokenOff)
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
          throw new Broken(brokenOff)
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

const methodOf = ({ method, body }: InjectedRequest): string => method ?? (body === undefined ? 'GET' : 'POST')

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Whether an error is our own of the connection, or Node's of the socket. */
const isOfConnection = (error: unknown): boolean =>
  error instanceof Broken || (error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string')
