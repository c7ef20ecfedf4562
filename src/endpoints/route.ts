/** What kube-apiserver's router asks of a request's headers, before any handler looks at them. */
import { namesOneOf } from '../formats/accept.js'
import { bodyMediaTypes, streamMediaTypes } from '../formats/negotiate.js'
import type { RequestContext } from '../request/context.js'
import { methodNotAllowed, notConsumed, notProduced } from '../status/status.js'
import { checkPatchRoute } from './write/patch-type.js'

export interface Route {
  readonly produces: readonly string[]
  /** Anything when missing. */
  readonly consumes?: readonly string[]
}

export const objectRoute: Route = { produces: bodyMediaTypes }
const collectionRoute: Route = { produces: [...bodyMediaTypes, ...streamMediaTypes] }
export const discoveryRoute: Route = { produces: bodyMediaTypes, consumes: bodyMediaTypes }

/** The headers of a request for a resource. */
export function checkResourceRoute(context: RequestContext): void {
  const { request, info } = context
  if (request.method === 'PATCH') checkPatchRoute(context)
  checkRoute(context, request.method === 'GET' && info.parts.length === 1 ? collectionRoute : objectRoute)
}

/** Of a path that is for GET only. Throws 405, 415 or 406, in this order. */
export function checkGetRoute(context: RequestContext, route: Route): void {
  if (context.request.method !== 'GET') throw methodNotAllowed()
  checkRoute(context, route)
}

function checkRoute(context: RequestContext, { produces, consumes }: Route): void {
  const contentType = context.header('content-type')
  if (contentType && consumes && !namesOneOf(contentType, consumes, false)) throw notConsumed()
  const accept = context.header('accept')
  if (accept && !produces.includes(accept) && !namesOneOf(accept, produces, true)) throw notProduced(produces)
}
