/** Which kind a patched document is of: a patch may change `kind` and `apiVersion`, or drop them. */
import { DecodeError, decode } from '../../../apimachinery/schema/decode.js'
import type { StructType } from '../../../apimachinery/schema/model.js'
import { goTypeName, internalPackage, isRegistered, notRegistered, typeOf } from '../../../apimachinery/schema/registered.js'
import { describeJson } from '../../../apimachinery/schema/scalars.js'
import { internalError } from '../../../apimachinery/status/status.js'
import { wrongKind } from '../../../apimachinery/validation/wrong-kind.js'
import type { JsonObject } from '../../../util/json.js'
import { apiVersionOf } from './decode-object.js'

/** The document lacks a valid kind or apiVersion. */
export class KindError extends DecodeError {}

/** Returns why a value cannot be decoded, or undefined. */
export function problemOf(type: StructType, value: unknown): string | undefined {
  try {
    decode(type, value)
    return undefined
  } catch (error) {
    if (error instanceof DecodeError) return error.message
    throw error
  }
}

function checkTypeMeta(kind: unknown, apiVersion: unknown): void {
  for (const [field, value] of Object.entries({ kind, apiVersion })) {
    if (typeof value !== 'string' && value !== undefined && value !== null)
      throw new KindError(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${describeJson(value)} into Go struct field .${field} of type string`
      )
  }
}

/**
 * Finds the kind of a patched document, which may have lost its own, or have become one of another version. Returns undefined for a document without a version:
 * kube-apiserver decodes it as the internal type, which knows none of its fields.
 */
export function patchedKind(type: StructType, value: JsonObject): PatchedKind | undefined {
  const { kind, apiVersion } = value
  checkTypeMeta(kind, apiVersion)
  const [version, name] = [(apiVersion ?? '') as string, (kind ?? '') as string]
  const own = type.gvks.find(g => (name === '' || g.kind === name) && (version === '' || apiVersionOf(g) === version))
  if (!own) {
    const [group, otherVersion] = version.includes('/') ? version.split('/') : ['', version]
    const sibling = type.gvks.some(g => g.group === group && g.kind === name) ? typeOf(group!, otherVersion!, name) : undefined
    if (sibling) return { type: sibling, meta: { kind: name, apiVersion: version } }
    if (isRegistered(version, name)) throw unconverted(type, version, name, value)
    throw new KindError(notRegistered(version, name))
  }
  return version === '' ? undefined : { type, meta: { kind: own.kind, apiVersion: version } }
}

interface PatchedKind {
  readonly type: StructType
  readonly meta: { readonly kind: string; readonly apiVersion: string }
}

/** The document has become one of another kind: it is decoded as that, and then it is not what it was. */
function unconverted({ gvks: [own] }: StructType, apiVersion: string, kind: string, value: JsonObject): KindError {
  const [version = '', group = ''] = apiVersion.split('/').reverse()
  const other = typeOf(group, version, kind)
  const wrong = other && problemOf(other, value)
  return new KindError(
    wrong ?? `converting (${goTypeName(version, kind)}) to (${internalPackage(own!.group)}.${own!.kind}): unknown conversion`
  )
}

/** Requires a custom resource to name its own kind and apiVersion, with kube-apiserver's errors for a wrong one. */
export function checkCustomKind(
  { gvks: [own] }: StructType,
  { kind, apiVersion, metadata }: JsonObject,
  text: () => string
): void {
  checkTypeMeta(kind, apiVersion)
  if (!kind) throw new KindError(`Object 'Kind' is missing in '${text()}'`)
  if (apiVersion === null) throw new KindError('.apiVersion accessor error: <nil> is of the type <nil>, expected string')
  if (!apiVersion) throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  const name = (metadata as { name?: string } | undefined)?.name ?? ''
  if (kind !== own!.kind || apiVersion !== apiVersionOf(own!)) throw wrongKind(own!, kind as string, apiVersion as string, name)
}
