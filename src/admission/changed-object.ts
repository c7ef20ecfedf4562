/** Replaces the object of a request with the changed object of a webhook or policy, which may be in another version. */
import { withViews } from '../apimachinery/fieldmanager/version-view.js'
import { cloneDecoded, madeFrom } from '../apimachinery/schema/decode.js'
import { internalError } from '../apimachinery/status/status.js'
import { replaceScale } from '../registry/scale.js'
import { becomeDocument } from '../registry/write/unread.js'
import { equalJson, isObject, type JsonObject } from '../util/json.js'
import { oneStep } from '../util/turns.js'
import type { AdmissionAttributes } from './admission.js'
import { isScale, isUnstructured, ownKind, type ServedResource } from './matching/served-resource.js'

/**
 * Replaces the request's object with `decoded`, an object in the version of `target`, and sets defaults. Resolves with whether
 * the object changed.
 */
export async function replaceObject(attributes: AdmissionAttributes, target: ServedResource, decoded: any): Promise<boolean> {
  const { resource, subresource, object, context } = attributes
  if (isScale(resource, subresource)) return replaceScale(resource, object, decoded, context.now)
  const stored = await withViews(() => oneStep(() => storedForm(attributes, target, cloneDecoded(decoded))), false)
  if (isUnstructured(resource, subresource)) return replaceByDocument(attributes, stored)
  if (!ownKind(resource, subresource)) {
    const { strategy } = resource.kind
    // as after an apply, the object is not decoded again, so that nulls stay for the validation
    if (strategy?.defaultApplied) strategy.defaultApplied(stored, context)
    else strategy?.default?.(stored, context)
  }
  if (equalJson(object, stored)) return false
  for (const key of Reflect.ownKeys(object)) delete object[key]
  // a field may be called `__proto__`, which an assignment would not set
  for (const key of Reflect.ownKeys(stored)) Object.defineProperty(object, key, Object.getOwnPropertyDescriptor(stored, key)!)
  madeFrom(stored, object)
  return true
}

/** The object of a custom resource becomes a document, of which no field is dropped before it is stored. */
function replaceByDocument({ operation, object }: AdmissionAttributes, document: JsonObject): boolean {
  // the system's fields can be set in metadata that are not there, but not in a value of another type
  if (operation === 'CREATE' && document.metadata !== undefined && !isObject(document.metadata))
    throw internalError('system metadata was not initialized')
  becomeDocument(object, document)
  return true
}

function storedForm({ resource, subresource, object }: AdmissionAttributes, target: ServedResource, decoded: any): any {
  if (ownKind(resource, subresource)) return decoded
  if (!resource.kind.custom) {
    const stored = target.resource.toStorage(decoded, target.version)
    return target.resource === resource
      ? stored
      : madeFrom(stored, { ...stored, kind: object.kind, apiVersion: object.apiVersion })
  }
  const own = resource.memoryVersion.name
  const view = target.version === own ? undefined : resource.view(target.resource.apiVersion(target.version), own)
  return view ? view.back(decoded) : decoded
}
