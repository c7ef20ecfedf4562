/** Passes a client's request on to a kubelet, Pod or Service, and the answer back. Bodies stream in both directions. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dial, DialTarget } from '../registry/services.js'
import type { RequestContext } from '../request/context.js'
import type { Response, Sink } from '../request/message.js'
import { badRequest, plainError, serviceUnavailable } from '../status/status.js'
import { DialError } from './dial.js'
import { exchange, type Incoming, type Outgoing } from './exchange.js'
import { answerHeaders, type HeaderChanges, requestHeaders } from './headers.js'
import { join } from './joined.js'
import { Rewriter } from './rewriter.js'

export interface Upstream {
  readonly dial: Dial
  readonly target: DialTarget
  /** Escaped, without the query. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

/** Passes any request on: what proxies do. Links of the answer lead back through the proxy. */
export async function passOn(context: RequestContext, upstream: Upstream): Promise<Response> {
  const { request } = context
  // kube-apiserver drops the query of upgrades
  if (request.upgrade !== undefined) return passUpgrade(context, { ...upstream, query: '' })
  const { method } = request
  if (upstream.path === '' && (method === 'GET' || method === 'HEAD'))
    return { status: 301, headers: { location: `${context.info.path}/${queryOf(context)}` } }
  const rewriter = new Rewriter(context, upstream)
  const headers = requestHeaders(context, { upgrades: false, added: ['X-Forwarded-Uri', rewriter.forwardedUri] })
  const body = request.openBody()
  if (body && !context.header('content-length')) headers.push('Transfer-Encoding', 'chunked')
  headers.push('Connection', 'close')
  let answer: Incoming
  try {
    const socket = await upstream.dial(upstream.target, context.signal)
    answer = await exchange(socket, { method, url: upstream.path + upstream.query, headers, body }, context.signal)
  } catch (error) {
    context.throwIfAborted()
    throw serviceUnavailable(`error trying to reach service: ${(error as Error).message}`)
  }
  return rewriter.rewrite(passBack(answer.head), answer.head)
}

/** Returns the query of a request with its question mark, or "". */
export function queryOf({ request: { url } }: RequestContext): string {
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question)
}

/** Throws 400 for a request that does not ask for another protocol: what streams of Pods do. */
export function passStream(context: RequestContext, upstream: Upstream): Promise<Response> {
  if (context.request.upgrade === undefined) throw badRequest('Upgrade request required')
  return passUpgrade(context, upstream)
}

async function passUpgrade(context: RequestContext, upstream: Upstream): Promise<Response> {
  const opened = await openUpgrade(context, upstream, {}, context.request.method)
  if (!('connection' in opened)) return opened
  const { head, connection } = opened
  return switched(head, {
    isRaw: true,
    open(client) {
      client.write(rawHead(head))
      join(client, connection)
    }
  })
}

/** An upgrade that the other server has accepted. */
export interface OpenedUpgrade {
  readonly head: IncomingMessage
  readonly connection: Duplex
}

export const switched = (head: IncomingMessage, upgrade: Response['upgrade']): Response => ({
  status: 101,
  headers: answerHeaders(head),
  upgrade
})

/** Asks the other server to switch the protocol. Returns its answer where that is an error, for the client. */
export async function openUpgrade(
  context: RequestContext,
  { dial, target, path, query }: Upstream,
  changes: Omit<HeaderChanges, 'upgrades'>,
  method: string
): Promise<OpenedUpgrade | Response> {
  const headers = requestHeaders(context, { upgrades: true, ...changes })
  const { signal } = context
  const { head, connection } = await upgradeOver({ dial, target }, { method, url: path + query, headers }, signal).catch(
    error => {
      signal.throwIfAborted()
      const { message } = error as Error
      throw plainError(
        error instanceof DialError ? `error dialing backend: ${message}` : message.replace(/^EOF$/, 'unexpected EOF')
      )
    }
  )
  if (connection) return { head, connection }
  const { statusCode } = head
  if (statusCode! >= 400) return passBack(head)
  head.destroy()
  throw plainError(`invalid upgrade response: status code ${statusCode}`)
}

/** Sends a request for an upgrade. Rejects with DialError, and with Go's words when the connection breaks before the answer. */
export async function upgradeOver(
  { dial, target }: Pick<Upstream, 'dial' | 'target'>,
  request: Outgoing,
  signal: AbortSignal
): Promise<{ head: IncomingMessage; connection: Duplex | undefined }> {
  const socket = await dial(target, signal)
  const { head, switched, early } = await exchange(socket, request, signal)
  if (switched && early.length > 0) socket.unshift(early)
  return { head, connection: switched ? socket : undefined }
}

/** The head of an answer as it came. */
function rawHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Streams another server's answer to the client, as fast as the client reads. */
export const passBack = (head: IncomingMessage, headers = answerHeaders(head)): Response => ({
  status: head.statusCode!,
  headers,
  stream: sink => streamBody(head, sink)
})

export function streamBody(body: NodeJS.ReadableStream & { destroy(): void }, sink: Sink): void {
  let isComplete = false
  body.on('data', (chunk: Buffer) => {
    if (!sink.write(chunk)) body.pause()
  })
  body.once('end', () => {
    isComplete = true
    sink.end()
  })
  // without a listener, an error would end the process; 'close' follows
  body.on('error', () => {})
  body.once('close', () => isComplete || sink.abort())
  sink.onDrain(() => body.resume())
  sink.onClose(() => body.destroy())
}
