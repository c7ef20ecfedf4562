/**
 * Passes a request on to another server by HTTP/1.1, and its answer back: bodies are streamed in both directions as fast as the slower
 * side takes them, and connections that the other server upgrades are joined. Whoever goes away ends the other side.
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RequestContext } from '../request/context.js'
import type { Response, Sink } from '../request/message.js'
import { hostAndPort } from '../util/url-parts.js'
import { asGoError, deadlineExceeded } from '../webhooks/go-errors.js'
import { addForwarded, addUser, answerHeaders, requestHeaders } from './forwarded-headers.js'
import { openBoth } from './join-connections.js'

export interface ProxyTarget {
  readonly host: string
  readonly port: number
  /** Path and query, escaped. */
  readonly path: string
  /** Keeps connections; its options hold what TLS needs. */
  readonly agent: https.Agent
  /** Whether the user is named in X-Remote-* headers. */
  readonly namesUser: boolean
  /** Milliseconds in which the answer must begin. */
  readonly timeoutMs?: number | undefined
  /** Whether an answer that redirects the client is refused. */
  readonly rejectsRedirects: boolean
}

/** The other server did not answer. The message is kube-apiserver's. */
export class UnreachableError extends Error {}

const reaching = 'error trying to reach service: '
const dialing = 'error dialing backend: '

/** Milliseconds in which a connection must be there: Go's dialer. */
const dialMs = 30_000

/** A request without a body may be sent again when the other server has just closed an idle connection. */
const idleCodes: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** Rejects with an UnreachableError when there is no answer. */
export async function passOn(context: RequestContext, target: ProxyTarget): Promise<Response> {
  const { request } = context
  const isUpgrade = request.upgrade !== undefined
  const headers = requestHeaders(request)
  headers.host = hostAndPort(target.host, target.port)
  headers['audit-id'] = context.record.auditId
  addForwarded(headers, request, isUpgrade, context.info.path)
  if (target.namesUser) addUser(headers, context.user)
  const body = isUpgrade ? undefined : request.openBody()
  // Node would announce a body of unknown length for some methods, and none for others
  if (body && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  else if (!body && !isUpgrade && bodyMethods.has(request.method)) headers['content-length'] = '0'
  const { host, port, path, agent } = target
  const options: RequestOptions = { host, port, path, method: request.method, headers, agent }
  const exchange = new Exchange(context, target, isUpgrade)
  try {
    return await exchange.send(options, body)
  } catch (error) {
    // nothing else can have used up the body of a request that has none
    if (body || !exchange.metClosedConnection || context.signal.aborted) throw error
    return await new Exchange(context, target, isUpgrade).send({ ...options }, undefined)
  }
}

const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

class Exchange {
  readonly #context: RequestContext
  readonly #target: ProxyTarget
  readonly #isUpgrade: boolean
  /** Whether a connection that was used before turned out to be closed. */
  metClosedConnection = false

  constructor(context: RequestContext, target: ProxyTarget, isUpgrade: boolean) {
    this.#context = context
    this.#target = target
    this.#isUpgrade = isUpgrade
  }

  send(options: RequestOptions, body: NodeJS.ReadableStream | undefined): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { timeoutMs } = this.#target
      let sent: ClientRequest
      const fail = (error: unknown) => {
        clearTimeout(timer)
        body?.unpipe()
        reject(new UnreachableError(`${this.#isUpgrade ? dialing : reaching}${asGoError(error)}`))
      }
      try {
        sent = https.request(options)
      } catch (error) {
        // a header that must not be sent
        return reject(new UnreachableError(`${reaching}${(error as Error).message}`))
      }
      const timer = timeoutMs === undefined ? undefined : setTimeout(() => sent.destroy(new Error(deadlineExceeded)), timeoutMs)
      const { signal } = this.#context
      const stop = () => sent.destroy(signal.reason as Error)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
      const gone = () => signal.removeEventListener('abort', stop)
      sent.once('close', gone)
      sent.once('socket', socket => limitDialing(socket, options))
      sent.once('error', error => {
        if (sent.reusedSocket && idleCodes.has((error as NodeJS.ErrnoException).code ?? '')) this.metClosedConnection = true
        fail(error)
      })
      // after the answer has begun, its own events tell of the end
      sent.on('error', () => {})
      sent.once('response', answer => {
        clearTimeout(timer)
        try {
          resolve(this.#answer(answer, sent))
        } catch (error) {
          reject(error as Error)
        }
      })
      sent.once('upgrade', (answer, socket, head) => {
        clearTimeout(timer)
        gone()
        resolve(upgraded(answer, socket, head))
      })
      if (body) {
        // the client has gone before its body was complete
        body.once('error', error => sent.destroy(error))
        body.once('close', () => !(body as IncomingMessage).readableEnded && sent.destroy())
        sent.once('close', () => body.unpipe(sent))
        body.pipe(sent)
      } else sent.end()
    })
  }

  #answer(answer: IncomingMessage, sent: ClientRequest): Response {
    const status = answer.statusCode!
    if (this.#isUpgrade && status < 400) {
      sent.destroy()
      throw new UnreachableError(`invalid upgrade response: status code ${status}`)
    }
    const headers = answerHeaders(answer)
    if (this.#target.rejectsRedirects && status >= 300 && status <= 399 && answer.headers.location) {
      sent.destroy()
      return {
        status: 502,
        headers: {},
        body: Buffer.from('the backend attempted to redirect this request, which is not permitted')
      }
    }
    // nobody may take the answer: its client has gone, or waits no more
    this.#context.onEnd(() => !answer.complete && sent.destroy())
    return { status, headers, stream: sink => stream(answer, sent, sink), isPassedOn: true }
  }
}

/** Ends a connection that is not there in time. */
function limitDialing(socket: Socket, { host, port }: RequestOptions): void {
  if (!socket.connecting) return
  const late = () => socket.destroy(new Error(`dial tcp ${hostAndPort(host!, Number(port))}: i/o timeout`))
  const timer = setTimeout(late, dialMs)
  socket.once('secureConnect', () => clearTimeout(timer))
  socket.once('close', () => clearTimeout(timer))
}

/** Sends the body as fast as the client takes it. */
function stream(answer: IncomingMessage, sent: ClientRequest, sink: Sink): void {
  sink.onDrain(() => answer.resume())
  sink.onClose(() => !answer.complete && sent.destroy())
  answer.on('data', (chunk: Buffer) => {
    if (!sink.write(chunk)) answer.pause()
  })
  answer.once('end', () => sink.end())
  answer.on('error', () => {})
  answer.once('close', () => {
    if (answer.readableEnded) return
    sink.abort()
  })
}

function upgraded(answer: IncomingMessage, socket: Duplex, head: Buffer): Response {
  const headers = answerHeaders(answer)
  headers.upgrade = answer.headers.upgrade ?? ''
  // without a listener, an error would end the process
  socket.on('error', () => socket.destroy())
  if (head.length > 0) socket.unshift(head)
  return { status: 101, headers, isPassedOn: true, upgrade: { open: connection => openBoth(connection, socket) } }
}
