/** The rules by which kube-apiserver finds an endpoint: built-in kinds have routes, custom resources have none. */

import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import {
  badRequest,
  methodNotAllowed,
  methodNotSupported,
  noSuchResource,
  notFound,
  type StatusError
} from '../../apimachinery/status/status.js'
import type { Resource } from '../../registry/resource.js'
import { respondText } from './respond.js'
import { checkResourceRoute } from './route.js'
import { patchTypeOf } from './write/patch-type.js'

export interface RouteRules {
  /** Answers a request whose path does not exist. `resource`: set when the resource exists but not this path of it. */
  missing(context: RequestContext, resource: Resource | undefined): Response
  /** Whether there are routes: paths with methods. Otherwise the request's verb and subresource decide alone, whatever the path has beside them. */
  readonly routed: boolean
  /** Throws 406 or 415 for media types that no route produces or consumes. `cbor`: whether routes have CBOR. */
  checkHeaders(context: RequestContext, resource: Resource, cbor: boolean): void
  /** Whether a request with the method `sent` may use the endpoint for `method`. */
  accepts(sent: string, method: string): boolean
  /** The error for a verb that the path does not have. */
  unsupportedVerb(context: RequestContext, resource: Resource): StatusError
}

export const pageNotFound = (): Response => respondText('404 page not found\n', 404)

export const builtinRules: RouteRules = {
  missing() {
    throw noSuchResource()
  },
  routed: true,
  checkHeaders(context, { kind }, cbor) {
    if (!kind.subresources?.others?.[context.info.subresource]?.connects) checkResourceRoute(context, cbor)
  },
  accepts: (sent, method) => sent === method,
  unsupportedVerb: () => methodNotAllowed()
}

export const customRules: RouteRules = {
  missing({ info }, resource) {
    if (resource && info.parts.length > 2 && (info.namespace !== '') === resource.namespaced)
      throw notFound(resource.groupResource, info.name)
    return pageNotFound()
  },
  routed: false,
  checkHeaders() {},
  // the verb that is executed is the one that was authorized, whichever method it came from
  accepts: () => true,
  unsupportedVerb(context, resource) {
    const { info } = context
    // without routes, a collection is an object without a name
    if (info.subresource === '' && (info.verb === 'update' || info.verb === 'patch')) {
      if (info.verb === 'patch') patchTypeOf(context, resource)
      return badRequest('name must be provided')
    }
    return methodNotSupported(resource.groupResource, info.verb)
  }
}
