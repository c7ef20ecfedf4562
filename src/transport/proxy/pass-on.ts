/**
 * Passes a client's request on to another server by HTTP/1.1, and the answer back: bodies are streamed in both directions as fast as the
 * slower side takes them, connections that the other server upgrades are joined, and whoever goes away ends the other side.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { baseOf, type Response, type Upgrade } from '../../apimachinery/request/message.js'
import { DialError } from './dial.js'
import { ExchangeError, exchange, type Incoming, type Outgoing, UnaskedSwitchError } from './exchange.js'
import { answerHeaders, type HeaderChanges, requestHeaders } from './headers.js'
import { finish, join } from './join.js'
import { Links } from './links.js'
import { streamBody } from './stream-body.js'
import type { Upstream } from './upstream.js'

/** The other server did not answer. The message is kube-apiserver's. */
export class UnreachableError extends Error {}

/** The other server answered with another protocol than it was asked for, or with one that nobody asked for. */
export class WrongProtocolError extends UnreachableError {}

/** Returns the query of a request with its question mark, or "". */
export function queryOf({ request: { url } }: RequestContext): string {
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question)
}

/** Passes any request on. Links of the answer lead back here. Rejects with UnreachableError when there is no answer. */
export async function passOn(context: RequestContext, upstream: Upstream): Promise<Response> {
  const { request, signal } = context
  if (request.upgrade !== undefined) return passUpgrade(context, upstream)
  const { method } = request
  if (upstream.path === '' && (method === 'GET' || method === 'HEAD'))
    return { status: 301, headers: { location: `${baseOf(context.request)}${context.info.path}/${queryOf(context)}` } }
  const { identity } = upstream
  const links = upstream.keepsLinks ? undefined : new Links(context, upstream)
  const headers = requestHeaders(context, false, {
    host: identity?.host,
    added: [...(identity?.headers ?? []), ...(links?.forwardedHeaders ?? [])]
  })
  const { head } = await exchanged(upstream, { method, headers, body: request.openBody() }, signal).catch(error => {
    context.throwIfAborted()
    if (error instanceof UnaskedSwitchError) throw new WrongProtocolError(error.message)
    throw new UnreachableError(`error trying to reach service: ${(error as Error).message}`)
  })
  if (upstream.rejectsRedirects && head.statusCode! >= 300 && head.statusCode! <= 399 && head.headers.location) {
    head.destroy()
    const text = 'the backend attempted to redirect this request, which is not permitted'
    return { status: 502, headers: {}, body: Buffer.from(text) }
  }
  const response = passBack(context, upstream, head)
  return links ? links.rewrite(response, head) : response
}

/** The methods that Go's client sends again. */
const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

async function exchanged(upstream: Upstream, outgoing: Outgoing, signal: AbortSignal): Promise<Incoming> {
  try {
    return await exchange(upstream, outgoing, signal)
  } catch (error) {
    // the other server may have worked on the request before it closed the connection
    const isRepeatable = !outgoing.body && repeatable.has(outgoing.method)
    if (!isRepeatable || !(error instanceof ExchangeError && error.isStale)) throw error
    return exchange(upstream, outgoing, signal)
  }
}

/** Asks the other server to switch the protocol, and joins the connections. Rejects with UnreachableError. */
export async function passUpgrade(context: RequestContext, upstream: Upstream): Promise<Response> {
  const opened = await openUpgrade(context, upstream, {}, context.request.method)
  if (!('connection' in opened)) return opened
  const { head, connection } = opened
  return {
    ...switched(head, {
      open(client) {
        client.write(rawHead(head, upstream.passesBack))
        join(client, connection, upstream.bytesPerSecond)
      }
    }),
    isPassedOn: true
  }
}

/** An upgrade that the other server has accepted. */
export interface OpenedUpgrade {
  readonly head: IncomingMessage
  readonly connection: Duplex
}

export const switched = (head: IncomingMessage, upgrade: Upgrade): Response => ({
  status: 101,
  headers: answerHeaders(head),
  upgrade
})

export interface UpgradeChanges extends Pick<HeaderChanges, 'without' | 'added'> {
  /** The protocol that the other server is asked for; the client's when left out. */
  readonly upgrade?: string
}

/** Asks the other server to switch the protocol. Returns its answer if that is an error, for the client. */
export async function openUpgrade(
  context: RequestContext,
  upstream: Upstream,
  { upgrade = context.header('upgrade') ?? '', ...changes }: UpgradeChanges,
  method: string
): Promise<OpenedUpgrade | Response> {
  const { host, headers: own = [] } = upstream.identity ?? {}
  const added = [...own, ...(changes.added ?? [])]
  const headers = requestHeaders(context, true, { ...changes, host, added })
  // an idle connection might be closed by now, and an upgrade would take it away from others
  const asked = exchange({ ...upstream, agent: undefined }, { method, headers, upgrade }, context.signal)
  const { head, connection } = await asked.catch(error => {
    context.throwIfAborted()
    const { message } = error as Error
    if (error instanceof UnaskedSwitchError) throw new WrongProtocolError(message)
    throw new UnreachableError(
      error instanceof DialError ? `error dialing backend: ${message}` : message.replace(/^EOF$/, 'unexpected EOF')
    )
  })
  if (connection) {
    // the client may be gone before its own connection is switched
    context.onEnd(() => connection.destroyed || finish(connection))
    return { head, connection }
  }
  const { statusCode } = head
  if (statusCode! >= 400) return passBack(context, upstream, head)
  head.destroy()
  throw new UnreachableError(`invalid upgrade response: status code ${statusCode}`)
}

/** Returns the head of an answer as it came, but for headers that are not passed back. */
function rawHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage, passesBack: Upstream['passesBack']): Buffer {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (passesBack?.(rawHeaders[at]!.toLowerCase()) ?? true) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

/** Streams another server's answer to the client. */
function passBack(context: RequestContext, { passesBack }: Upstream, head: IncomingMessage): Response {
  // nobody may read the answer: its client may be gone, or no longer wait
  context.onEnd(() => head.destroy())
  context.signal.addEventListener('abort', () => head.destroy(), { once: true })
  const headers = answerHeaders(head)
  if (passesBack) for (const name of Object.keys(headers)) if (!passesBack(name)) delete headers[name]
  return { status: head.statusCode!, headers, stream: sink => streamBody(head, sink), isPassedOn: true }
}
