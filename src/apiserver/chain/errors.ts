/** Turns what is thrown below into answers, so that the stages around see a Response whatever happens. */

import { ClientGoneError, type RequestContext } from '../../apimachinery/request/context.js'
import { DeadlineExceededError } from '../../apimachinery/request/deadline.js'
import { InternalServerError } from '../../apimachinery/request/internal-server-error.js'
import { type Response, sentUrl } from '../../apimachinery/request/message.js'
import { UnreadablePathError } from '../../apimachinery/request/request-info.js'
import type { Stage } from '../../apimachinery/request/stage.js'
import { StatusError } from '../../apimachinery/status/status.js'
import { StoreUnavailableError } from '../../storage/contract.js'
import { goQuote, withoutHtml } from '../../util/go-format.js'
import type { Logger } from '../../util/logger.js'
import { nextTurn } from '../../util/turns.js'
import { respondError, respondText } from '../endpoints/respond.js'
import { toStatusError } from '../endpoints/status-of-error.js'

export function errorsStage(log: Logger): Stage {
  return {
    name: 'errors',
    why: 'answers with a Status where something below has thrown',
    handle(context, next) {
      try {
        const response = next(context)
        return response instanceof Promise ? response.catch(error => answerInTurn(context, error, log)) : response
      } catch (error) {
        return failed(context, error, log)
      }
    }
  }
}

/** The errors of a large object may be as long as the object. */
async function answerInTurn(context: RequestContext, error: unknown, log: Logger): Promise<Response> {
  if (context.isLarge) await nextTurn()
  return failed(context, error, log)
}

function failed(context: RequestContext, error: unknown, log: Logger): Response {
  if (error instanceof UnreadablePathError)
    return internalServerError(context, `failed to create RequestInfo: ${error.message}, ${sentUrl(context.request)}`)
  if (error instanceof InternalServerError) {
    log.error(`${context.request.method} ${context.path}: ${error.message}`)
    return internalServerError(context, error.message)
  }
  if (error instanceof DeadlineExceededError) {
    context.record.timedOut = true
    return tooLate()
  }
  if (!(error instanceof StatusError) && !(error instanceof ClientGoneError)) {
    const what = `${context.request.method} ${context.path}`
    if (error instanceof StoreUnavailableError) log.error(`${what}: ${error.message}`)
    else {
      context.record.failure = error
      log.error(`${what}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  return respondError(context, toStatusError(error))
}

/** kube-apiserver writes this Status past its usual encoders: it has no kind. */
function tooLate(): Response {
  const message = 'Timeout: request did not complete within the allotted timeout'
  const status = { metadata: {}, status: 'Failure', message, reason: 'Timeout', details: {}, code: 504 }
  return {
    status: 504,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: Buffer.from(`${JSON.stringify(status)}\n`)
  }
}

const internalServerError = ({ request }: RequestContext, why: string): Response =>
  respondText(withoutHtml(`Internal Server Error: ${goQuote(sentUrl(request))}: ${why}\n`), 500)
