/** The patch in the answer of a mutating webhook: a JSON Patch of the object in the version that the webhook was shown. */
import { withViews } from '../../fieldmanager/version-view.js'
import { decodeJsonPatch } from '../../patch/decode.js'
import { applyJsonPatch } from '../../patch/json-patch.js'
import { PatchError } from '../../patch/patch-error.js'
import { DecodeError, decode, madeFrom } from '../../schema/decode.js'
import { loadSchema } from '../../schema/load.js'
import type { StructType } from '../../schema/model.js'
import { isRegistered } from '../../schema/registered.js'
import { internalError } from '../../server/status.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote } from '../../util/go-format.js'
import { equalJson, isObject, type JsonObject } from '../../util/json.js'
import type { AdmissionAttributes } from '../admission.js'
import type { ServedResource } from '../matching/served-resource.js'
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
  const { object } = attributes
  const changed = await stored(attributes, target, patched(shown, operations, patch))
  if (equalJson(object, changed)) return false
  for (const key of Object.keys(object)) delete object[key]
  madeFrom(changed, Object.assign(object, changed))
  return true
}

function decoded(webhook: string, patch: string): JsonObject[] {
  try {
    return decodeJsonPatch(patch, { checked: false, parse: parseExact })
  } catch (error) {
    if (!(error instanceof PatchError)) throw error
    throw new WebhookFailure(webhook, `received undecodable patch in webhook response: ${error.problem}`)
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
    throw error instanceof PatchError ? internalError(error.problem) : error
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

/** The patched document as the request has its object: decoded, in the storage version, with defaults. */
async function stored(attributes: AdmissionAttributes, target: ServedResource, document: JsonObject): Promise<any> {
  const { resource, subresource, object, context } = attributes
  const read = typed(typeOf(attributes, target), document)
  if (subresource === 'scale' && resource.kind.scale) {
    const scaled = structuredClone(object)
    resource.kind.scale.setReplicas(scaled, read.spec.replicas ?? 0)
    return scaled
  }
  if (isOwnKind(attributes)) return read
  const back = await toStorage(attributes, target, read)
  resource.kind.default?.(back, context)
  return back
}

function typed(type: StructType, document: JsonObject): any {
  const { kind, apiVersion, ...rest } = document
  try {
    return decode(type, { kind, apiVersion, ...rest }).object
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message) : error
  }
}

async function toStorage({ resource, object }: AdmissionAttributes, target: ServedResource, read: any): Promise<any> {
  if (!resource.kind.custom) {
    const back = target.resource.toStorage(read, target.version)
    return target.resource === resource ? back : { ...back, kind: object.kind, apiVersion: object.apiVersion }
  }
  const own = resource.memoryVersion.name
  if (target.version === own) return read
  return withViews(() => resource.view(target.resource.apiVersion(target.version), own)?.back(read) ?? read)
}

/** The subresource takes a kind of its own rather than the object. */
function isOwnKind({ resource, subresource }: AdmissionAttributes): boolean {
  const own = resource.kind.subresources?.[subresource]
  return own !== undefined && !own.prepareForUpdate
}

function typeOf(attributes: AdmissionAttributes, { resource, version }: ServedResource): StructType {
  const { kind } = attributes.resource
  if (attributes.subresource === 'scale' && kind.scale) return loadSchema().type('autoscaling.v1.Scale')
  if (isOwnKind(attributes)) return loadSchema().type(kind.subresources![attributes.subresource]!.type)
  return resource.type(version)
}
