/** The patch in the answer of a mutating webhook: a JSON Patch of the object in the version that the webhook was shown. */
import { decodeJsonPatch } from '../../patch/decode.js'
import { applyJsonPatch } from '../../patch/json-patch.js'
import { PatchError, RejectedOperation } from '../../patch/patch-error.js'
import { DecodeError, decode } from '../../schema/decode.js'
import type { StructType } from '../../schema/model.js'
import { isRegistered } from '../../schema/registered.js'
import { internalError } from '../../server/status.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { isObject, type JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { replaceObject } from '../changed-object.js'
import { type ServedResource, typeOf } from '../matching/served-resource.js'
import { WebhookFailure } from './call.js'
import type { ReviewAnswer } from './review.js'

/**
 * Changes the object of the request as the answer says; `shown` is what the webhook was shown of it. Resolves with whether that
 * made a difference. Throws a WebhookFailure or a StatusError.
 */
export async function applyPatch(
  attributes: AdmissionAttributes,
  webhook: string,
  { patch, patchType }: ReviewAnswer,
  target: ServedResource,
  shown: any
): Promise<boolean> {
  if (patch === '') return false
  const operations = decoded(webhook, patch)
  if (operations.length === 0) return false
  if (shown === null)
    throw internalError(
      `admission webhook ${goQuote(webhook)} attempted to modify the object, which is not supported for this operation`
    )
  if (patchType !== 'JSONPatch') throw new WebhookFailure(webhook, `unsupported patch type ${goQuote(patchType)}`)
  return replaceObject(attributes, target, typed(typeOf(target, attributes.subresource), patched(shown, operations, patch)))
}

function decoded(webhook: string, patch: string): JsonObject[] {
  try {
    return decodeJsonPatch(patch, { checked: false, parse: parseExact })
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    throw new WebhookFailure(webhook, `received undecodable patch in webhook response: ${error.message}`)
  }
}

function patched(shown: any, operations: readonly JsonObject[], source: string): JsonObject {
  try {
    const value = applyJsonPatch(shown, operations, undefined, source)
    if (isObject(value)) return identified(value, shown)
    throw internalError(
      `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
    )
  } catch (error) {
    throw error instanceof PatchError ? internalError(error instanceof RejectedOperation ? error.why : error.message) : error
  }
}

/** A patch cannot make another kind of the object. */
function identified(document: JsonObject, { kind, apiVersion }: any): JsonObject {
  const own = { kind: document.kind || kind, apiVersion: document.apiVersion || apiVersion }
  if (own.kind !== kind || own.apiVersion !== apiVersion) {
    if (!isRegistered(own.apiVersion, own.kind))
      throw internalError(
        `no kind ${goQuote(own.kind)} is registered for version ${goQuote(own.apiVersion)} in scheme ${goQuote(scheme)}`
      )
    throw internalError(`converting (${own.apiVersion}.${own.kind}) to (${apiVersion}.${kind}): unknown conversion`)
  }
  return { ...document, ...own }
}

/** Where kube-apiserver's scheme for admission was made. */
const scheme = 'pkg/runtime/scheme.go:111'

function typed(type: StructType, document: JsonObject): any {
  const { kind, apiVersion, ...rest } = document
  try {
    return decode(type, { kind, apiVersion, ...rest }).object
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error
  }
}
