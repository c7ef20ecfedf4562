/** Passes requests on to kubelets, Pods and Services, with the errors that clients get where there is no answer. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import { badRequest, plainError, serviceUnavailable } from '../../apimachinery/status/status.js'
import { passOn, passUpgrade, UnreachableError, WrongProtocolError } from '../../transport/proxy/pass-on.js'
import type { Upstream } from '../../transport/proxy/upstream.js'

/** Passes any request on, as proxies do. */
export async function proxyTo(context: RequestContext, upstream: Upstream): Promise<Response> {
  // kube-apiserver drops the query of upgrades
  if (context.request.upgrade !== undefined) return orPlainError(passUpgrade(context, { ...upstream, query: '' }))
  return passOn(context, upstream).catch(error => {
    if (error instanceof WrongProtocolError) throw plainError(error.message)
    throw error instanceof UnreachableError ? serviceUnavailable(error.message) : error
  })
}

/** Passes a stream of a Pod on. Throws a 400 for a request that does not ask for another protocol. */
export function passStream(context: RequestContext, upstream: Upstream): Promise<Response> {
  if (context.request.upgrade === undefined) throw badRequest('Upgrade request required')
  return orPlainError(passUpgrade(context, upstream))
}

export const orPlainError = <T>(upgrade: Promise<T>): Promise<T> =>
  upgrade.catch(error => {
    throw error instanceof UnreachableError ? plainError(error.message) : error
  })
