/**
 * The console beside a cluster: serves its page, and passes all other requests on with the credentials of the kubeconfig. Whoever reaches the port
 * would act as their user, so nothing is passed on without a session, and nothing for another host or from a page of another origin.
 */
import { randomUUID } from 'node:crypto'
import { RequestContext } from '../../apimachinery/request/context.js'
import { isCredential } from '../../apimachinery/request/credential-headers.js'
import type { Answer, Handler, IncomingRequest, Response } from '../../apimachinery/request/message.js'
import { badRequest, forbiddenPath, methodNotAllowed, StatusError, unauthorized } from '../../apimachinery/status/status.js'
import { answerConsole, type ConsoleParts } from '../../apiserver/console/answer.js'
import { isConsolePath } from '../../apiserver/console/console-path.js'
import { isOfOtherOrigin, misdirected, otherOrigin } from '../../apiserver/console/origin.js'
import type { ConsoleSessions } from '../../apiserver/console/sessions.js'
import { respondError } from '../../apiserver/endpoints/respond.js'
import { TokenError } from '../../auth/authentication/authenticator.js'
import { parseBearerToken } from '../../auth/authentication/bearer-token.js'
import { passOn, UnreachableError } from '../../transport/proxy/pass-on.js'
import type { Cluster } from './cluster.js'

export interface ProxyParts extends ConsoleParts {
  readonly sessions: ConsoleSessions
  readonly cluster: Cluster
}

export function proxyHandler(parts: ProxyParts): Handler {
  return async request => {
    const context = new RequestContext(request, Date.now(), randomUUID())
    return answer(context, await response(context, parts))
  }
}

/** The cluster says how long a request may take, and the browser how long it waits. */
const answer = (context: RequestContext, given: Response): Answer => ({
  ...given,
  takeWithin: Number.POSITIVE_INFINITY,
  ended: aborted => context.ended(aborted)
})

async function response(context: RequestContext, parts: ProxyParts): Promise<Response> {
  if (isConsolePath(context.path)) return answerConsole(context, parts)
  try {
    checkSender(context.request, parts)
    return confined(await passed(context, parts.cluster))
  } catch (error) {
    return confined(respondError(context, statusOf(error)))
  }
}

/** Throws a StatusError for a request that is not passed on. */
function checkSender(request: IncomingRequest, { isOwnHost, sessions, cluster }: ProxyParts): void {
  const { headers, url, method, upgrade } = request
  if (!isOwnHost(headers)) throw misdirected()
  if (isOfOtherOrigin(headers, 'http')) throw otherOrigin()
  const { token } = parseBearerToken(typeof headers.authorization === 'string' ? headers.authorization : undefined)
  if (token === undefined || !sessions.authenticateToken(token)) throw unauthorized()
  request.onAuthenticated?.()
  if (!url.startsWith('/')) throw badRequest('the path must begin with a slash')
  if (method === 'TRACE' || method === 'CONNECT') throw methodNotAllowed()
  if (upgrade !== undefined && upgrade !== 'websocket')
    throw badRequest('the console passes on no other connections than WebSockets')
  if (cluster.impersonates && Object.keys(headers).some(isImpersonation))
    throw forbiddenPath('the console acts as another user already (--as), and cannot act as a third one')
}

const isImpersonation = (name: string): boolean => name.startsWith('impersonate-')

/**
 * Headers of the page that the cluster does not get: credentials, for it has those of the kubeconfig, and what a browser says about the page,
 * whose origin is not the cluster's. Impersonation is the cluster's to allow.
 */
const isWithheld = (name: string): boolean =>
  (isCredential(name) && !isImpersonation(name)) ||
  name === 'cookie' ||
  name === 'origin' ||
  name === 'referer' ||
  name.startsWith('sec-fetch-')

/** Sends the request, and again with other credentials where the first have run out and it has no body that is gone. */
async function passed(context: RequestContext, cluster: Cluster): Promise<Response> {
  context.isCredential = isWithheld
  const send = async () => passOn(context, { ...(await cluster.upstream(context.request)), passesBack: isPassedBack })
  const first = await send()
  const hasBody = !['GET', 'HEAD'].includes(context.request.method)
  return first.status === 401 && (await cluster.renew()) && !hasBody ? send() : first
}

const passedBack: ReadonlySet<string> = new Set(
  `accept-ranges audit-id content-disposition content-encoding content-language content-length content-range content-type date etag
   last-modified location retry-after vary warning
   connection upgrade sec-websocket-accept sec-websocket-extensions sec-websocket-protocol`.split(/\s+/)
)

/**
 * The headers of the cluster's answers that the page gets. Others would be about the console's origin, which is not the cluster's: cookies, sign-in,
 * encryption, what may be stored or shared.
 */
const isPassedBack = (name: string): boolean => passedBack.has(name) || name.startsWith('x-kubernetes-')

const own: Readonly<Record<string, string>> = {
  // a Pod may answer with a page and its scripts, which must not act in the console's origin, nor come from a cache without a session
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache, private'
}

function confined(given: Response): Response {
  if (given.status === 101) return given
  const { location } = given.headers
  // elsewhere, the page's requests would go past the console
  if (location !== undefined && !/^\/(?![/\\])/.test(String(location))) delete given.headers.location
  Object.assign(given.headers, own)
  return given
}

function statusOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error
  if (error instanceof TokenError) return unauthorized()
  const message =
    error instanceof UnreachableError
      ? error.message.replace('error trying to reach service: ', '')
      : error instanceof Error
        ? error.message
        : String(error)
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `the cluster cannot be reached: ${message}`,
    reason: 'ServiceUnavailable',
    code: 502
  })
}
