/** Media types of patches. They count as written: parameters may follow, but letters are not of either case. */
import { namesOneOf } from '../../formats/accept.js'
import type { Resource } from '../../registry/resource.js'
import type { RequestContext } from '../../request/context.js'
import { notConsumed, unsupportedBody } from '../../status/status.js'

export const jsonPatchType = 'application/json-patch+json'
export const mergePatchType = 'application/merge-patch+json'
export const strategicPatchType = 'application/strategic-merge-patch+json'
export const applyType = 'application/apply-patch+yaml'

const customTypes: readonly string[] = [jsonPatchType, mergePatchType, applyType]
const types: readonly string[] = [jsonPatchType, mergePatchType, strategicPatchType, applyType]

/** The router's question, whether there is a route for such a body. Custom resources have none. Throws 415. */
export function checkPatchRoute(context: RequestContext): void {
  const header = context.header('content-type') || 'application/octet-stream'
  if (!namesOneOf(header, types, false)) throw notConsumed()
}

/** Throws 415. */
export function patchTypeOf(context: RequestContext, { kind }: Resource): string {
  const header = context.header('content-type') ?? ''
  const semicolon = header.indexOf(';')
  const type = semicolon > 0 ? header.slice(0, semicolon) : header
  // custom resources have no strategies
  const accepted = kind.custom ? customTypes : types
  if (!accepted.includes(type)) throw unsupportedBody(accepted)
  return type
}
