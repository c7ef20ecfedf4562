/** The patch in the answer of a mutating webhook: a JSON Patch of the object in the version that the webhook was shown. */

import { decodeJsonPatch } from '../../apimachinery/patch/decode.js'
import { applyJsonPatchInTurns } from '../../apimachinery/patch/json-patch.js'
import { PatchError, RejectedOperation } from '../../apimachinery/patch/patch-error.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import { isRegistered } from '../../apimachinery/schema/registered.js'
import { internalError } from '../../apimachinery/status/status.js'
import { wrongKind } from '../../apimachinery/validation/wrong-kind.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { isObject, type JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { replaceObject } from '../changed-object.js'
import { type ServedResource, typeOf } from '../matching/served-resource.js'
import { WebhookFailure } from './call.js'
import type { ReviewAnswer } from './review.js'

/**
 * Applies the patch to the object of the request; `shown` is the object as the webhook saw it. Resolves with whether the object
 * changed. Tells `applied` the operations of a patch that could be applied. Throws a WebhookFailure or a StatusError.
 */
export async function applyPatch(
  attributes: AdmissionAttributes,
  webhook: string,
  { patch, patchType }: ReviewAnswer,
  target: ServedResource,
  shown: any,
  applied: (operations: readonly JsonObject[]) => void = () => {}
): Promise<boolean> {
  if (patch === '') return false
  const operations = decoded(webhook, patch)
  if (operations.length === 0) return false
  if (shown === null)
    throw internalError(
      `admission webhook ${goQuote(webhook)} attempted to modify the object, which is not supported for this operation`
    )
  if (patchType !== 'JSONPatch') throw new WebhookFailure(webhook, `unsupported patch type ${goQuote(patchType)}`, 400)
  const document = await patched(shown, operations, patch)
  const sent = identified(attributes, target, document, shown)
  const object = typed(typeOf(sent, attributes.subresource), document, shown)
  applied(operations)
  return replaceObject(attributes, sent, object)
}

function decoded(webhook: string, patch: string): JsonObject[] {
  try {
    return decodeJsonPatch(patch, { checked: false, parse: parseExact })
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    throw new WebhookFailure(webhook, `received undecodable patch in webhook response: ${error.message}`)
  }
}

async function patched(shown: any, operations: readonly JsonObject[], source: string): Promise<JsonObject> {
  try {
    const value = await applyJsonPatchInTurns(shown, operations, source)
    if (isObject(value)) return value
    throw internalError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
    )
  } catch (error) {
    throw error instanceof PatchError ? internalError(error instanceof RejectedOperation ? error.why : error.message) : error
  }
}

/** Finds the resource and version of a patched document. A patch may change the version of a custom resource, but no kind. */
function identified(attributes: AdmissionAttributes, target: ServedResource, document: JsonObject, shown: any): ServedResource {
  const { kind, apiVersion } = identity(document, shown)
  if (kind === shown.kind && apiVersion === shown.apiVersion) return target
  const { resource, context } = attributes
  if (resource.kind.custom) {
    const [group, version = ''] = apiVersion.split('/')
    const other = group === resource.group ? context.services.registry.find(group, version, resource.resource) : undefined
    const name = (document.metadata as { name?: string } | undefined)?.name ?? ''
    const own = { group: resource.group, version: shown.apiVersion.split('/').at(-1), kind: shown.kind }
    if (kind !== shown.kind) throw wrongKind(own, kind, shown.apiVersion, name)
    if (other) return { resource: other, version }
  }
  if (!isRegistered(apiVersion, kind))
    throw internalError(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(scheme)}`)
  throw internalError(`converting (${apiVersion}.${kind}) to (${shown.apiVersion}.${shown.kind}): unknown conversion`)
}

const identity = (document: JsonObject, shown: any): { kind: string; apiVersion: string } => ({
  kind: (document.kind as string) || shown.kind,
  apiVersion: (document.apiVersion as string) || shown.apiVersion
})

/** The place in kube-apiserver's source that its errors name for the admission scheme. */
const scheme = 'pkg/runtime/scheme.go:111'

function typed(type: StructType, document: JsonObject, shown: any): any {
  const { kind: _, apiVersion: __, ...rest } = document
  const own = identity(document, shown)
  try {
    return decode(type, { ...own, ...rest }).object
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error
  }
}
