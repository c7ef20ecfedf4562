/** One handler for all edges: makes the context of a request, runs the chain, and readies the response for sending. */
import { RequestContext } from '../../apimachinery/request/context.js'
import type { Answer, Handler, Response } from '../../apimachinery/request/message.js'
import { chained, type Stage } from '../../apimachinery/request/stage.js'

export interface HandlerOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly uuid: () => string
  /** The Strict-Transport-Security header of all answers; none when empty. */
  readonly strictTransportSecurity?: string | undefined
}

/** A path that no URL could have gets no further than kube-apiserver's HTTP library, and so no Audit-Id. */
const brokenEscape = /%(?![\da-fA-F]{2})/
const badPath: Response = {
  status: 400,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
  body: Buffer.from('400 Bad Request')
}

/** A client's Audit-Id is kept, whatever it is, as long as it can be sent back. */
const auditId = /^[\t\x20-\x7e\x80-\xff]+$/

/** Milliseconds that a client has for taking an answer, however late that came. */
const shortestTaking = 5000

export function createHandler(stages: readonly Stage[], { now, uuid, strictTransportSecurity }: HandlerOptions): Handler {
  const handle = chained(stages)
  return async request => {
    const given = request.headers['audit-id']
    const context = new RequestContext(request, now(), typeof given === 'string' && auditId.test(given) ? given : uuid())
    if (brokenEscape.test(context.path)) return answer(context, { ...badPath, headers: { ...badPath.headers } }, shortestTaking)
    let response: Response
    try {
      const work = handle(context)
      response = work instanceof Promise ? await work : work
    } catch (error) {
      context.ended()
      throw error
    }
    const { headers } = response
    const taken = response.isPassedOn && response.status !== 101 ? takeShared(headers) : undefined
    headers['audit-id'] = context.record.auditId
    const { classification, record } = context
    // kube-apiserver writes the answer to a request that has run out of time without them
    if (classification && !record.timedOut) {
      headers['x-kubernetes-pf-flowschema-uid'] = classification.uid
      headers['x-kubernetes-pf-prioritylevel-uid'] = classification.level.uid
    }
    if (strictTransportSecurity) headers['strict-transport-security'] = strictTransportSecurity
    headers['cache-control'] ??= 'no-cache, private'
    if (context.warnings.length > 0) headers.warning = context.warnings.map(warningHeader)
    if (taken) addShared(headers, taken)
    return answer(context, response, Math.max(context.timeLimit - (now() - context.record.receivedAt), shortestTaking))
  }
}

/** Headers that both this server and another, whose answer is passed on, may set. */
const sharedHeaders = [
  'audit-id',
  'cache-control',
  'strict-transport-security',
  'warning',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid'
]

/** Takes the other server's out of the headers. */
function takeShared(headers: Response['headers']): Response['headers'] {
  const taken: Response['headers'] = {}
  for (const name of sharedHeaders) {
    const value = headers[name]
    if (value === undefined) continue
    taken[name] = value
    delete headers[name]
  }
  return taken
}

/** As in kube-apiserver, they come beside those of this server, and not instead. */
function addShared(headers: Response['headers'], taken: Response['headers']): void {
  for (const [name, value] of Object.entries(taken)) headers[name] = name in headers ? [headers[name]!, value].flat() : value
}

const answer = (
  context: RequestContext,
  { status, headers, body, stream, upgrade, isPassedOn }: Response,
  takeWithin: number
): Answer => ({
  status,
  headers,
  body,
  stream,
  upgrade,
  isPassedOn,
  takeWithin,
  ended: aborted => context.ended(aborted)
})

/** RFC 7234: code 299, no agent, a quoted text. */
function warningHeader(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&')
  // text that is not ASCII goes out as UTF-8, of which Node is given the bytes
  return `299 - "${/[^\x20-\x7e]/.test(escaped) ? Buffer.from(escaped).toString('latin1') : escaped}"`
}
