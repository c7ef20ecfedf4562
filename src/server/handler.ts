/** Runs a request through the chain and turns whatever is thrown into an answer. */
import { randomUUID } from 'node:crypto'
import { respondError } from '../endpoints/respond.js'
import { compressed } from '../formats/compress.js'
import { StoreUnavailableError } from '../storage/contract.js'
import type { Logger } from '../util/logger.js'
import { type IncomingRequest, RequestContext, type Response } from './context.js'
import { checkTimeout } from './deadline.js'
import type { Stage } from './handler-chain.js'
import { parseRequestInfo } from './request-info.js'
import { StatusError, toStatusError } from './status.js'

export type Handler = (request: IncomingRequest) => Promise<Response>

/** A path that no URL could have gets no further than kube-apiserver's HTTP library, and so no Audit-Id. */
const brokenEscape = /%(?![\da-fA-F]{2})/
const plainText = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }

/** A client's Audit-Id is kept when it could be one. */
const auditId = /^[\w.-]{1,64}$/

export function createHandler(chain: readonly Stage[], now: () => number, log: Logger): Handler {
  return async request => {
    const given = request.headers['audit-id']
    const context = new RequestContext(request, now(), typeof given === 'string' && auditId.test(given) ? given : randomUUID())
    let response: Response | undefined
    if (brokenEscape.test(context.path)) return { status: 400, headers: plainText, body: Buffer.from('400 Bad Request') }
    try {
      context.info = parseRequestInfo(request.method, context.path, context.query)
      checkTimeout(context)
      for (const stage of chain) {
        const answer = stage.handle(context)
        response = answer instanceof Promise ? await answer : answer
        if (response) break
      }
      if (!response) throw new Error('no stage of the chain answered')
      response = compressed(context, response)
    } catch (error) {
      if (error instanceof StoreUnavailableError) log.error(`${request.method} ${context.path}: ${error.message}`)
      else if (!(error instanceof StatusError))
        log.error(`${request.method} ${context.path}: ${error instanceof Error ? error.stack : error}`)
      response = respondError(context, toStatusError(error))
    }
    const { headers } = response
    headers['audit-id'] = context.auditId
    headers['cache-control'] ??= 'no-cache, private'
    if (context.warnings.length > 0) headers.warning = context.warnings.map(warningHeader)
    context.finish(response)
    return response
  }
}

/** RFC 7234: code 299, no agent, a quoted text without control characters. */
function warningHeader(text: string): string {
  const clean = text.replace(/\p{Cc}+/gu, ' ').replace(/[\\"]/g, '\\$&')
  // what is not ASCII goes out as UTF-8, of which Node is given the bytes
  return `299 - "${/[^\x20-\x7e]/.test(clean) ? Buffer.from(clean).toString('latin1') : clean}"`
}
