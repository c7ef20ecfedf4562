/** The patch in the answer of a mutating webhook: a JSON Patch of the object in the version that the webhook was shown. */

import { decodeJsonPatch } from '../../apimachinery/patch/decode.js'
import { applyJsonPatchInTurns } from '../../apimachinery/patch/json-patch.js'
import { PatchError, RejectedOperation } from '../../apimachinery/patch/patch-error.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import { internalError } from '../../apimachinery/status/status.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson, type JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { identified, identity, sentTypeMeta } from '../changed-kind.js'
import { replaceObject } from '../changed-object.js'
import { inVersionOf, isUnstructured, type ServedResource, typeOf } from '../matching/served-resource.js'
import type { TypeMeta } from '../type-meta.js'
import { WebhookFailure } from './call.js'
import type { ReviewAnswer } from './review.js'

/**
 * An object as a patch has made it, which is not the object of the request yet. It becomes that when a webhook wants another version, or after the last one:
 * a custom resource with all fields that a webhook has given to it, a built-in object without its kind or version, an object of another kind to refuse
 * the request, unless another patch puts it right.
 */
export interface Held {
  readonly object: any
  /** What the object was shown as. */
  readonly target: ServedResource
  /** Makes it the object of the request. Throws a StatusError. */
  settle(): Promise<unknown>
}

export interface Patched {
  readonly changed: boolean
  /** Undefined where the object of the request is what the patch has made. */
  readonly held: Held | undefined
}

/**
 * Applies the patch to the object of the request; `shown` is the object as the webhook saw it. Resolves with undefined if
 * there is no patch. Tells `applied` the operations of a patch that could be applied. Throws a WebhookFailure or a StatusError.
 */
export async function applyPatch(
  attributes: AdmissionAttributes,
  webhook: string,
  { patch, patchType }: ReviewAnswer,
  target: ServedResource,
  shown: any,
  applied: (operations: readonly JsonObject[]) => void = () => {}
): Promise<Patched | undefined> {
  if (patch === '') return undefined
  const operations = decoded(webhook, patch)
  if (operations.length === 0) return undefined
  if (shown === null)
    throw internalError(
      `admission webhook ${goQuote(webhook)} attempted to modify the object, which is not supported for this operation`
    )
  if (patchType !== 'JSONPatch') throw new WebhookFailure(webhook, `unsupported patch type ${goQuote(patchType)}`, 400)
  const document = await patched(shown, operations, patch)
  const { kind, apiVersion } = identity(attributes, target, document)
  const sent = identified(attributes, target, kind, apiVersion)
  const unstructured = isUnstructured(attributes.resource, attributes.subresource)
  const object = unstructured
    ? document
    : typed('error' in sent ? sent.type : typeOf(sent, attributes.subresource), document, { kind, apiVersion })
  applied(operations)
  if ('error' in sent) return { changed: true, held: { object, target, settle: () => Promise.reject(sent.error) } }
  if (!unstructured) {
    const changed = await replaceObject(attributes, sent, object)
    const before = sentTypeMeta(shown)
    const said = sentTypeMeta(document)
    return {
      changed: changed || said.kind !== before.kind || said.apiVersion !== before.apiVersion,
      held: said.kind && said.apiVersion ? undefined : await namedAs(said, attributes, sent)
    }
  }
  const changed = !equalJson(document, shown)
  const { strategy } = sent.resource.kind
  strategy?.defaultApplied?.(object, attributes.context)
  return { changed, held: { object, target, settle: () => replaceObject(attributes, sent, object) } }
}

/** In Go, a built-in object keeps the kind and version of its document, even if these are missing, until it is converted. */
async function namedAs({ kind, apiVersion }: TypeMeta, attributes: AdmissionAttributes, target: ServedResource): Promise<Held> {
  const { kind: _, apiVersion: __, ...rest } = (await inVersionOf(attributes, target, 'admit')).object
  const object = { ...(kind && { kind }), ...(apiVersion && { apiVersion }), ...rest }
  return { object, target, settle: () => Promise.resolve() }
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
    return (await applyJsonPatchInTurns(shown, operations, source)) as JsonObject
  } catch (error) {
    throw error instanceof PatchError ? internalError(error instanceof RejectedOperation ? error.why : error.message) : error
  }
}

function typed(type: StructType, document: JsonObject, { kind, apiVersion }: TypeMeta): any {
  const { kind: _, apiVersion: __, ...rest } = document
  try {
    return decode(type, { kind, apiVersion, ...rest }).object
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error
  }
}
