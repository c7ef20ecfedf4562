/** Media types of patches. They may have parameters, and are case-sensitive. */
import { namesOneOf } from '../../../apimachinery/formats/accept.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import { notConsumed, unsupportedBody } from '../../../apimachinery/status/status.js'
import type { Resource } from '../../../registry/resource.js'

export const jsonPatchType = 'application/json-patch+json'
export const mergePatchType = 'application/merge-patch+json'
export const strategicPatchType = 'application/strategic-merge-patch+json'
const applyYamlType = 'application/apply-patch+yaml'
export const applyCborType = 'application/apply-patch+cbor'

/** Whether a patch is an applied configuration. */
export const isApplyType = (type: string) => type === applyYamlType || type === applyCborType

const custom: readonly string[] = [jsonPatchType, mergePatchType, applyYamlType]
const builtin: readonly string[] = [jsonPatchType, mergePatchType, strategicPatchType, applyYamlType]
const customWithCbor: readonly string[] = [...custom, applyCborType]
const builtinWithCbor: readonly string[] = [...builtin, applyCborType]

/** The media types of patches of built-in resources. `cbor`: see RequestContext. */
export const patchTypesOf = (cbor: boolean): readonly string[] => (cbor ? builtinWithCbor : builtin)

/** Makes the router's check that a route consumes this media type. Throws 415. Custom resources have no routes. */
export function checkPatchRoute(context: RequestContext, cbor: boolean): void {
  const header = context.header('content-type') || 'application/octet-stream'
  if (!namesOneOf(header, patchTypesOf(cbor), false)) throw notConsumed()
}

/** Returns the media type of a patch. Throws 415 if the kind does not support it. */
export function patchTypeOf(context: RequestContext, { kind }: Resource): string {
  const header = context.header('content-type') ?? ''
  const semicolon = header.indexOf(';')
  const type = semicolon > 0 ? header.slice(0, semicolon) : header
  // custom resources have no strategic merge patch
  const accepted = kind.custom ? (context.cbor ? customWithCbor : custom) : patchTypesOf(context.cbor)
  if (!accepted.includes(type)) throw unsupportedBody(accepted)
  return type
}
