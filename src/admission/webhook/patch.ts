/** The patch in the answer of a mutating webhook: a JSON Patch of the object in the version that the webhook was shown. */

import { decodeJsonPatch } from '../../apimachinery/patch/decode.js'
import { applyJsonPatchInTurns } from '../../apimachinery/patch/json-patch.js'
import { PatchError, RejectedOperation } from '../../apimachinery/patch/patch-error.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import {
  goTypeName,
  internalPackage,
  isRegistered,
  notRegistered,
  typeOf as typeOfKind
} from '../../apimachinery/schema/registered.js'
import { internalError, plainError, type StatusError } from '../../apimachinery/status/status.js'
import { goMapJson } from '../../apimachinery/structural/go-map.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson, type JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import { replaceObject } from '../changed-object.js'
import { type GroupVersionKind, isUnstructured, kindOf, type ServedResource, typeOf } from '../matching/served-resource.js'
import { WebhookFailure } from './call.js'
import type { ReviewAnswer } from './review.js'
import { readTypeMeta, type TypeMeta, TypeMetaError } from './type-meta.js'

/**
 * An object as a patch has made it, which is not the object of the request yet. It becomes that when a webhook wants another version, or after the last one:
 * a custom resource with all fields that a webhook has given to it, an object of another kind to refuse the request, unless another patch puts it right.
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
  if (!unstructured) return { changed: await replaceObject(attributes, sent, object), held: undefined }
  const changed = !equalJson(document, shown)
  const { strategy } = sent.resource.kind
  strategy?.defaultApplied?.(object, attributes.context)
  return { changed, held: { object, target, settle: () => replaceObject(attributes, sent, object) } }
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

/** Returns what a patched document says it is. Go knows of built-in types what they are. */
function identity({ resource, subresource }: AdmissionAttributes, target: ServedResource, document: JsonObject): TypeMeta {
  const { kind, apiVersion } = sentTypeMeta(document)
  const own = kindOf(target, subresource)
  if (!isUnstructured(resource, subresource)) return { kind: kind || own.kind, apiVersion: apiVersion || apiVersionOf(own) }
  if (!kind) throw internalError(`Object 'Kind' is missing in '${goMapJson(document)}'`)
  return { kind, apiVersion }
}

function sentTypeMeta(document: JsonObject): TypeMeta {
  try {
    return readTypeMeta(document)
  } catch (error) {
    throw error instanceof TypeMetaError ? internalError(error.message) : error
  }
}

const apiVersionOf = ({ group, version }: GroupVersionKind) => (group === '' ? version : `${group}/${version}`)

/**
 * Finds the resource and version of a patched document. A patch may change the version of a custom resource; its kind is found wrong when the
 * object is validated. Returns the type and the error of a document that is of another kind.
 */
function identified(
  { resource, subresource, context }: AdmissionAttributes,
  target: ServedResource,
  kind: string,
  apiVersion: string
): ServedResource | { readonly type: StructType; readonly error: StatusError } {
  const own = kindOf(target, subresource)
  const ownVersion = apiVersionOf(own)
  if (apiVersion === ownVersion && (kind === own.kind || isUnstructured(resource, subresource))) return target
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  if (isUnstructured(resource, subresource)) {
    const { registry } = context.services
    const other = group === resource.group ? registry.find(group, version, resource.resource) : undefined
    if (other) return { resource: other, version }
    const from = `${group}/${version}, Kind=${kind}`
    const why =
      group === resource.group
        ? `request to convert CR from an invalid group/version: ${apiVersion}`
        : `${from} is unstructured and is not suitable for converting to ${goQuote(ownVersion)}`
    return { type: typeOf(target, subresource), error: plainError(why) }
  }
  if (!isRegistered(apiVersion, kind)) throw internalError(notRegistered(apiVersion, kind))
  const type = typeOfKind(group, version, kind)
  const why = `converting (${goTypeName(version, kind)}) to (${internalPackage(own.group)}.${own.kind}): unknown conversion`
  return { type: type ?? typeOf(target, subresource), error: plainError(why) }
}

function typed(type: StructType, document: JsonObject, { kind, apiVersion }: TypeMeta): any {
  const { kind: _, apiVersion: __, ...rest } = document
  try {
    return decode(type, { kind, apiVersion, ...rest }).object
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error
  }
}
