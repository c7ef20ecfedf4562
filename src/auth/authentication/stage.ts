import type { RequestContext } from '../../apimachinery/request/context.js'
import { isForeignPage } from '../../apimachinery/request/foreign-page.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { AuthenticationDecision } from '../../apimachinery/request/record.js'
import type { Handle, Stage } from '../../apimachinery/request/stage.js'
import { ANONYMOUS } from '../../apimachinery/request/user.js'
import { unauthorized } from '../../apimachinery/status/status.js'
import { Metrics } from '../../util/instruments/metrics.js'
import { AuthenticationAttempts } from './attempts.js'
import type { AuthenticationResult } from './authenticator.js'
import type { Authenticator } from './union.js'
import { noCredentials } from './union.js'

/**
 * `endsSessions`: whether a client whom nobody knows has a single request for each HTTP/2 connection, because many streams that it begins and
 * resets cost much (CVE-2023-44487).
 */
export function authenticationStage(
  authenticator: Authenticator,
  attempts = new AuthenticationAttempts(new Metrics()),
  endsSessions = true
): Stage {
  return {
    name: 'authentication',
    why: 'finds the user of the request; refuses wrong credentials (401)',
    handle(context, next) {
      const { request, record } = context
      context.isCredential = authenticator.isCredential
      if (request.trustedUser) {
        context.user = record.requester = request.trustedUser
        return next(context)
      }
      const began = context.enteredAt
      const proceed = (result: AuthenticationResult) => {
        context.enteredAt =
          'problems' in result
            ? attempts.failed(result === noCredentials ? 'failure' : 'error', began)
            : attempts.succeeded(result.user.name, began)
        if (endsSessions && ('problems' in result || result.user.name === ANONYMOUS)) request.endSession?.()
        return accept(context, result, next)
      }
      const result = authenticator.authenticate(request, isForeignPage(context))
      return result instanceof Promise ? record.time('authentication', result).then(proceed) : proceed(result)
    }
  }
}

const authenticated: AuthenticationDecision = { authenticated: true, reason: '' }

function accept(context: RequestContext, result: AuthenticationResult, next: Handle): Response | Promise<Response> {
  if (result.annotations) for (const [key, value] of Object.entries(result.annotations)) context.record.annotate(key, value)
  if ('problems' in result) {
    context.record.authentication = { authenticated: false, reason: result.problems.join(', ') }
    throw unauthorized()
  }
  context.record.authentication = authenticated
  context.user = context.record.requester = result.user
  if (result.user.name !== ANONYMOUS) context.request.onAuthenticated?.()
  for (const warning of result.warnings ?? []) context.warn(warning)
  return next(context)
}
