/** The checks of method and headers that kube-apiserver's router makes before any handler. */
import { namesOneOf } from '../../apimachinery/formats/accept.js'
import { bodyMediaTypes, streamMediaTypes } from '../../apimachinery/formats/negotiate.js'
import type { RequestContext } from '../../apimachinery/request/context.js'
import { methodNotAllowed, notConsumed, notProduced } from '../../apimachinery/status/status.js'
import { checkPatchRoute } from './write/patch-type.js'

export interface Route {
  readonly produces: readonly string[]
  /** Any media type when missing. */
  readonly consumes?: readonly string[]
}

const routesOf = (cbor: boolean) => {
  const bodies = bodyMediaTypes(cbor)
  return {
    object: { produces: bodies },
    collection: { produces: [...bodies, ...streamMediaTypes(cbor)] },
    discovery: { produces: bodies, consumes: bodies }
  }
}
const plainRoutes = routesOf(false)
const cborRoutes = routesOf(true)

export const discoveryRoute = (cbor: boolean): Route => (cbor ? cborRoutes : plainRoutes).discovery

/** Checks the headers of a request for a resource. `cbor`: whether it is served as CBOR, too. Throws 415 or 406. */
export function checkResourceRoute(context: RequestContext, cbor: boolean): void {
  const { request, info } = context
  if (request.method === 'PATCH') checkPatchRoute(context, cbor)
  const { collection, object } = cbor ? cborRoutes : plainRoutes
  checkRoute(context, request.method === 'GET' && info.parts.length === 1 ? collection : object)
}

/** Checks a request for a path that takes only GET. Throws 405, 415 or 406, in this order. */
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
