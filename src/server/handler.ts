/** Runs a request through the chain and turns whatever is thrown into an answer. */
import { randomUUID } from 'node:crypto'
import { respondError, respondText } from '../endpoints/respond.js'
import { compressed } from '../formats/compress.js'
import { StoreUnavailableError } from '../storage/contract.js'
import { nextTurn } from '../storage/slices.js'
import { goQuote, withoutHtml } from '../util/go-format.js'
import type { Logger } from '../util/logger.js'
import { type IncomingRequest, RequestContext, type Response } from './context.js'
import { DeadlineExceededError, timeLimit, within } from './deadline.js'
import type { Stage } from './handler-chain.js'
import { parseRequestInfo, UnreadablePathError } from './request-info.js'
import { StatusError, toStatusError } from './status.js'

export type Handler = (request: IncomingRequest) => Promise<Response>

export interface HandlerOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Milliseconds that a request may take, unless it goes on for as long as its client wants. */
  readonly requestTimeout: number
  readonly log: Logger
}

/** A path that no URL could have gets no further than kube-apiserver's HTTP library, and so no Audit-Id. */
const brokenEscape = /%(?![\da-fA-F]{2})/
const plainText = 'text/plain; charset=utf-8'

/** A client's Audit-Id is kept when it could be one. */
const auditId = /^[\w.-]{1,64}$/

/** Milliseconds in which no request is answered: who gives less gets the 504 that kube-apiserver would give. */
const quickest = 0.05
/** Milliseconds that a client has for taking an answer, however late that came. */
const shortestTaking = 5000

export function createHandler(chain: readonly Stage[], { now, requestTimeout, log }: HandlerOptions): Handler {
  return async request => {
    const given = request.headers['audit-id']
    const context = new RequestContext(request, now(), typeof given === 'string' && auditId.test(given) ? given : randomUUID())
    if (brokenEscape.test(context.path))
      return { status: 400, headers: { 'content-type': plainText, connection: 'close' }, body: Buffer.from('400 Bad Request') }
    let response: Response
    let limit = requestTimeout
    try {
      context.info = parseRequestInfo(request.method, context.path, context.query)
      limit = timeLimit(context, requestTimeout)
      if (limit < quickest) throw new DeadlineExceededError()
      const work = answer(chain, context, 0)
      response = work instanceof Promise ? await (Number.isFinite(limit) ? within(work, limit) : work) : work
    } catch (error) {
      // what is wrong with a large object may be as long
      if (context.isLarge) await nextTurn()
      response = failed(context, error, log)
    }
    const { headers } = response
    headers['audit-id'] = context.auditId
    headers['cache-control'] ??= 'no-cache, private'
    if (context.warnings.length > 0) headers.warning = context.warnings.map(warningHeader)
    response.takeWithin = Math.max(limit - (now() - context.receivedAt), shortestTaking)
    response.taken = context.finish(response)
    return response
  }
}

/** The answer of the first stage that gives one, from the stage with this index on. */
function answer(chain: readonly Stage[], context: RequestContext, from: number): Response | Promise<Response> {
  for (let i = from; i < chain.length; i++) {
    const given = chain[i]!.handle(context)
    if (given instanceof Promise) return given.then(later => (later ? compressed(context, later) : answer(chain, context, i + 1)))
    if (given) return compressed(context, given)
  }
  throw new Error('no stage of the chain answered')
}

function failed(context: RequestContext, error: unknown, log: Logger): Response {
  if (error instanceof UnreadablePathError) return unreadablePath(context.request.url)
  if (error instanceof DeadlineExceededError) return tooLate()
  const what = `${context.request.method} ${context.path}`
  if (error instanceof StoreUnavailableError) log.error(`${what}: ${error.message}`)
  else if (!(error instanceof StatusError)) log.error(`${what}: ${error instanceof Error ? error.stack : error}`)
  return respondError(context, toStatusError(error))
}

/** kube-apiserver writes this Status past its usual encoders: it has no kind. */
function tooLate(): Response {
  const message = 'Timeout: request did not complete within the allotted timeout'
  const status = { metadata: {}, status: 'Failure', message, reason: 'Timeout', details: {}, code: 504 }
  return { status: 504, headers: { 'content-type': plainText }, body: Buffer.from(`${JSON.stringify(status)}\n`) }
}

function unreadablePath(url: string): Response {
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${url}`
  return respondText(withoutHtml(`Internal Server Error: ${goQuote(url)}: ${why}\n`), 500)
}

/** RFC 7234: code 299, no agent, a quoted text without control characters. */
function warningHeader(text: string): string {
  const clean = text.replace(/\p{Cc}+/gu, ' ').replace(/[\\"]/g, '\\$&')
  // what is not ASCII goes out as UTF-8, of which Node is given the bytes
  return `299 - "${/[^\x20-\x7e]/.test(clean) ? Buffer.from(clean).toString('latin1') : clean}"`
}
