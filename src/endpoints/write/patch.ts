import { largeBodyBytes } from '../../formats/body.js'
import { strictFieldErrors } from '../../formats/strict-fields.js'
import { checkValueCount } from '../../formats/value-limit.js'
import { type WrittenNumbers, writtenNumbers } from '../../formats/written-numbers.js'
import { conversionProblems, converted } from '../../patch/conversion.js'
import { decodeJsonPatch, decodeMergePatch, decodeStrategicMergePatch, jsonPatchFieldErrors } from '../../patch/decode.js'
import { applyJsonPatch, applyJsonPatchInTurns } from '../../patch/json-patch.js'
import { applyMergePatch } from '../../patch/merge-patch.js'
import { type Opened, openedJson } from '../../patch/opened-json.js'
import { PatchError } from '../../patch/patch-error.js'
import { applyStrategicMergePatch } from '../../patch/strategic-merge-patch.js'
import type { Resource } from '../../registry/resource.js'
import { update as store } from '../../registry/write/update.js'
import type { RequestContext } from '../../request/context.js'
import { DecodeError, decode } from '../../schema/decode.js'
import { inFieldOrder } from '../../schema/field-order.js'
import type { StructType } from '../../schema/model.js'
import { holdsRaw } from '../../schema/raw-values.js'
import { goTypeName, isRegistered, notRegistered } from '../../schema/registered.js'
import { describeJson } from '../../schema/scalars.js'
import { allFields } from '../../schema/unknown-fields.js'
import { internalError, StatusError } from '../../status/status.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote, goValue } from '../../util/go-format.js'
import { cloneJson, isObject, type JsonObject } from '../../util/json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { wrongKind } from '../../validation/wrong-kind.js'
import { type Endpoint, type EndpointRequest, operationFor, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { apply } from './apply.js'
import { checkNamespace } from './create.js'
import { apiVersionOf, internalPackage, maxBodyBytes, noObject, scheme, typeOf } from './decode-object.js'
import { type FieldValidation, invalidPatch, type WriteOptions, writeOptions } from './options.js'
import { isApplyType, jsonPatchType, mergePatchType, patchTypeOf, strategicPatchType } from './patch-type.js'
import { recordPatch } from './record-request.js'
import { checkName } from './update.js'

/** A JSON Patch with more operations gives turns to others. */
const manyOperations = 100

/** Applies a patch to a document and decodes the result. Called again after a conflict. */
export type Patcher = (document: JsonObject) => any

/** PATCH with a JSON Patch, a merge patch or a strategic merge patch, or an applied configuration. */
export const patch: Endpoint = async request => {
  const { context, resource, services } = request
  const mediaType = patchTypeOf(context, resource)
  if (isApplyType(mediaType)) return apply(request)
  const form = requestedForm(request)
  const body = await readPatch(context)
  const text = body.toString('utf8')
  context.isLarge = text.length > largeBodyBytes
  const options = writeOptions(context.query, 'PatchOptions')
  recordPatch(context, body)
  const operation = operationFor(request, options)
  const { version, name } = context.info
  // decoded only now, because a missing object is reported before a malformed patch
  let patcher: Patcher | undefined
  const written = await store(operation, {
    name,
    compute(current) {
      patcher ??= makePatcher(context, mediaType, text, resource.type(version), options, manyOperations)
      const patched = patcher(version === resource.memoryVersion.name ? current : resource.inVersion(cloneJson(current), version))
      const finish = (object: any) => {
        checkPatched(request, object)
        const stored = resource.toStorage(object, versionOf(resource, object) ?? version)
        resource.kind.strategy?.default?.(stored, operation)
        return stored
      }
      return patched instanceof Promise ? patched.then(finish) : finish(patched)
    }
  })
  return respondStored(context, form, resource, written, services.clock.now())
}

/** A patch may have made an object of another version of its kind. */
const versionOf = ({ kind, group }: Resource, { apiVersion }: { apiVersion: string }) =>
  kind.custom
    ? undefined
    : kind.versions.find(({ name }: { name: string }) => apiVersionOf({ group, version: name }) === apiVersion)?.name

/** Throws 400 for a patch that changes the object's name or namespace. */
function checkPatched({ context, resource }: EndpointRequest, object: any): void {
  checkNamespace(object.metadata, resource.namespaced, context.info.namespace)
  checkName(object.metadata.name, context.info.name)
}

/**
 * Of a JSON Patch with more than `atOnce` operations, the patcher returns a promise. A patch of a built-in type that has numbers such as `1.0`
 * is first applied with a stand-in for each, which an integer field refuses.
 */
export function makePatcher(
  context: RequestContext,
  mediaType: string,
  text: string,
  type: StructType,
  options: WriteOptions,
  atOnce = Number.POSITIVE_INFINITY
): Patcher {
  const patch = patcherOf(context, mediaType, text, type, options, atOnce)
  // kube-apiserver's strategic merge patch parses the numbers
  const written = type.decoder || mediaType === strategicPatchType ? undefined : writtenNumbers(text, true)
  if (!written) return patch
  const trial = patcherOf(context, mediaType, written.text, type, { ...options, fieldValidation: 'Ignore' }, atOnce, written)
  return document => {
    const tried = trial(document)
    return tried instanceof Promise ? tried.then(() => patch(document)) : patch(document)
  }
}

function patcherOf(
  context: RequestContext,
  mediaType: string,
  text: string,
  type: StructType,
  options: WriteOptions,
  atOnce: number,
  written?: WrittenNumbers
): Patcher {
  const checked = options.fieldValidation !== 'Ignore'
  const target = { context, type, validation: options.fieldValidation, written }
  try {
    switch (mediaType) {
      case jsonPatchType: {
        const operations = decodeJsonPatch(text, { checked, parse: parseExact })
        const problems = checked ? jsonPatchFieldErrors(text) : []
        const apply = (current: JsonObject, opened?: Opened) => guard(() => applyJsonPatch(current, operations, opened, text))
        const decoded = (document: JsonObject, object?: unknown) => patched({ ...target, problems }, document, apply, object)
        if (operations.length <= atOnce) return decoded
        return document =>
          applyJsonPatchInTurns(document, operations, text).then(
            object => decoded(document, object),
            error => Promise.reject(asStatus(error))
          )
      }
      case mergePatchType: {
        const merge = decodeMergePatch(text, { checked, parse: parseExact })
        const problems = checked ? duplicatesOf(text) : []
        return document =>
          patched({ ...target, problems }, document, (current, opened) => guard(() => applyMergePatch(current, merge, opened)))
      }
      default: {
        const merge = decodeStrategicMergePatch(text, { checked, parse: parseExact })
        const problems = checked ? duplicatesOf(text) : []
        return document => {
          const { object, remainder } = guard(() => applyStrategicMergePatch(document, merge, type))
          // kube-apiserver converts the value without JSON here, so its messages differ
          const look = (value: JsonObject) => conversionProblems(type, value).unknown
          return decodePatched({ ...target, problems }, object, {
            text: () => goValue(remainder),
            convertedTo: { kind: document.kind, apiVersion: document.apiVersion },
            look
          })
        }
      }
    }
  } catch (error) {
    throw asStatus(error)
  }
}

const duplicatesOf = (text: string): string[] => strictFieldErrors(text, 'any')

/** What the result of a patch is decoded into, and how. */
interface Target {
  readonly context: RequestContext
  readonly type: StructType
  readonly validation: FieldValidation
  /** Problems in the patch itself, such as duplicate keys. */
  readonly problems: readonly string[]
  /** The patch has stand-ins for its numbers. */
  readonly written: WrittenNumbers | undefined
}

function patched(
  target: Target,
  document: JsonObject,
  apply: (document: JsonObject, opened?: Opened) => unknown,
  object = apply(document)
): any {
  const { type } = target
  const text = () => {
    if (type.decoder) return sortedJson(object)
    const opened: Opened = new Set()
    return openedJson(apply(inFieldOrder(type, document) as JsonObject, opened), opened)
  }
  const look = (_: JsonObject, found: StructType) => strictFieldErrors(text(), found)
  return decodePatched(target, object, { text, again: () => parseExact(text()), look })
}

interface PatchedDocument {
  /** Returns the value as an error shows it when decoding fails. */
  readonly text: () => string
  /** Returns the value with its keys in the order of that text, because an error reports the first mistake there. */
  readonly again?: () => unknown
  /** Set for a document that is converted rather than decoded: it keeps this type, whatever the patch made of these fields. */
  readonly convertedTo?: { readonly kind: unknown; readonly apiVersion: unknown }
  /** Returns the unknown fields of a document that has some. */
  readonly look: (value: JsonObject, type: StructType) => readonly string[]
}

function decodePatched(
  { context, type, validation, problems, written }: Target,
  value: unknown,
  { text, again, convertedTo, look }: PatchedDocument
): any {
  if (!isObject(value))
    throw invalidPatch(
      goQuote(text()),
      type.decoder
        ? `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type ${type.go}`
        : noObject(value)
    )
  let result: ReturnType<typeof decode>
  let found = type
  try {
    const { kind, apiVersion, ...rest } = value
    if (convertedTo) {
      result = converted(type, value)
      Object.assign(result.object, convertedTo)
    } else {
      if (type.decoder) {
        checkCustomType(type, value, text)
        result = decode(type, { kind, apiVersion, ...rest })
      } else {
        const own = known(type, value)
        found = own?.type ?? type
        // raw values keep the order of their text
        const content = own && again && holdsRaw(found) ? (again() as JsonObject) : rest
        result = own
          ? decode(found, { ...own.meta, ...content, ...own.meta })
          : { object: { metadata: {} }, hasUnknown: Object.keys(rest).length > 0, unknown: allFields(rest) }
      }
    }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const why = (again && !(error instanceof KindError) && problemOf(found, again())) || error.message
    throw written ? invalidPatch(goQuote(written.restoreAll(text())), written.restore(why)) : invalidPatch(goQuote(text()), why)
  }
  if (validation === 'Ignore') return result.object
  const unknown = () => result.unknown?.map(path => `unknown field ${goQuote(path)}`) ?? look(value, found)
  const warned = result.hasUnknown ? [...problems, ...unknown()] : problems
  if (warned.length > 0) {
    if (validation === 'Strict') throw invalidPatch(goQuote(text()), `strict decoding error: ${warned.join(', ')}`)
    for (const problem of warned) context.warn(problem)
  }
  return result.object
}

/** The document lacks a valid kind or apiVersion. */
class KindError extends DecodeError {}

function problemOf(type: StructType, value: unknown): string | undefined {
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
function known(type: StructType, value: JsonObject): Known | undefined {
  const { kind, apiVersion } = value
  checkTypeMeta(kind, apiVersion)
  const [version, name] = [(apiVersion ?? '') as string, (kind ?? '') as string]
  const own = type.gvks.find(g => (name === '' || g.kind === name) && (version === '' || apiVersionOf(g) === version))
  if (!own) {
    const [group, otherVersion] = version.includes('/') ? version.split('/') : ['', version]
    const sibling = type.gvks.some(g => g.group === group && g.kind === name) ? typeOf(group!, otherVersion!, name) : undefined
    if (sibling) return { type: sibling, meta: { kind: name, apiVersion: version } }
    if (isRegistered(version, name)) throw unconverted(type, version, name, value)
    throw new KindError(notRegistered(version, name, scheme))
  }
  return version === '' ? undefined : { type, meta: { kind: own.kind, apiVersion: version } }
}

interface Known {
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
function checkCustomType({ gvks: [own] }: StructType, { kind, apiVersion, metadata }: JsonObject, text: () => string): void {
  checkTypeMeta(kind, apiVersion)
  if (!kind) throw new KindError(`Object 'Kind' is missing in '${text()}'`)
  if (apiVersion === null) throw new KindError('.apiVersion accessor error: <nil> is of the type <nil>, expected string')
  if (!apiVersion) throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  const name = (metadata as { name?: string } | undefined)?.name ?? ''
  if (kind !== own!.kind || apiVersion !== apiVersionOf(own!)) throw wrongKind(own!, kind as string, apiVersion as string, name)
}

function guard<T>(apply: () => T): T {
  try {
    return apply()
  } catch (error) {
    throw asStatus(error)
  }
}

/** Converts a PatchError into a StatusError, because the patch functions know nothing of Status objects. */
function asStatus(error: unknown): unknown {
  if (!(error instanceof PatchError)) return error
  const { code, reason, details, message } = error
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code
  })
}

/** Reads a patch. Throws 413 when it holds too many values. */
export async function readPatch(context: RequestContext): Promise<Buffer> {
  const body = await context.readBody(maxBodyBytes)
  checkValueCount(body)
  return body
}
