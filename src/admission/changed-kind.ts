/** What an object is after a webhook or a policy has patched it: a patch may change its kind and version. */
import { inFieldOrder } from '../apimachinery/schema/field-order.js'
import type { StructType } from '../apimachinery/schema/model.js'
import {
  goTypeName,
  internalPackage,
  isRegistered,
  notRegistered,
  typeOf as typeOfKind
} from '../apimachinery/schema/registered.js'
import { internalError, plainError, type StatusError } from '../apimachinery/status/status.js'
import { goMapJson } from '../apimachinery/structural/go-map.js'
import { goQuote, sortedKeys } from '../util/go-format.js'
import type { JsonObject } from '../util/json.js'
import type { AdmissionAttributes } from './admission.js'
import { type GroupVersionKind, isUnstructured, kindOf, type ServedResource, typeOf } from './matching/served-resource.js'
import { readTypeMeta, type TypeMeta, TypeMetaError } from './type-meta.js'

/** Returns what a patched document says it is. Go knows of built-in types what they are; the scale of a custom resource is read as a document, too. */
export function identity({ resource, subresource }: AdmissionAttributes, target: ServedResource, document: JsonObject): TypeMeta {
  const { kind, apiVersion } = sentTypeMeta(document)
  const own = kindOf(target, subresource)
  if (!resource.kind.custom) return { kind: kind || own.kind, apiVersion: apiVersion || apiVersionOf(own) }
  if (!kind) throw internalError(`Object 'Kind' is missing in '${textOf(document, target, subresource)}'`)
  return { kind, apiVersion }
}

/**
 * Returns the text of a document as Go has patched it. A custom resource is a map, whose keys are sorted at every depth. Its scale is a struct, whose
 * fields a patch sorts at the top alone.
 */
function textOf(document: JsonObject, target: ServedResource, subresource: string): string {
  if (isUnstructured(target.resource, subresource)) return goMapJson(document)
  const ordered = inFieldOrder(typeOf(target, subresource), document) as JsonObject
  return JSON.stringify(Object.fromEntries(sortedKeys(ordered).map(key => [key, ordered[key]])))
}

/** Returns what a document says it is. Throws a StatusError. */
export function sentTypeMeta(document: JsonObject): TypeMeta {
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
export function identified(
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
