import { largeBodyBytes } from '../../formats/body.js'
import { strictFieldErrors } from '../../formats/strict-fields.js'
import { checkValueCount } from '../../formats/value-limit.js'
import { conversionProblems, converted } from '../../patch/conversion.js'
import { decodeJsonPatch, decodeMergePatch, decodeStrategicMergePatch, jsonPatchFieldErrors } from '../../patch/decode.js'
import { applyJsonPatch } from '../../patch/json-patch.js'
import { applyMergePatch } from '../../patch/merge-patch.js'
import { type Opened, openedJson } from '../../patch/opened-json.js'
import { PatchError } from '../../patch/patch-error.js'
import { applyStrategicMergePatch } from '../../patch/strategic-merge-patch.js'
import { update as store } from '../../registry/write/update.js'
import type { RequestContext } from '../../request/context.js'
import { DecodeError, decode } from '../../schema/decode.js'
import { inFieldOrder } from '../../schema/field-order.js'
import type { StructType } from '../../schema/model.js'
import { describeJson } from '../../schema/scalars.js'
import { allFields } from '../../schema/unknown-fields.js'
import { internalError, StatusError } from '../../status/status.js'
import { parseExact } from '../../util/exact-json.js'
import { goQuote, goValue } from '../../util/go-format.js'
import { cloneJson, isObject, type JsonObject } from '../../util/json.js'
import { sortedJson } from '../../util/sorted-json.js'
import { wrongKind, wrongVersion } from '../../validation/wrong-kind.js'
import { type Endpoint, type EndpointRequest, operationFor, requestedForm } from '../endpoint.js'
import { respondStored } from '../objects.js'
import { apply } from './apply.js'
import { checkNamespace } from './create.js'
import { apiVersionOf, maxBodyBytes, scheme } from './decode-object.js'
import { type FieldValidation, invalidPatch, type WriteOptions, writeOptions } from './options.js'
import { applyType, jsonPatchType, mergePatchType, patchTypeOf } from './patch-type.js'
import { checkName } from './update.js'

/** Applies a patch to a document and decodes what comes out. Called again after a lost race. */
export type Patcher = (document: JsonObject) => any

/** PATCH with a JSON Patch, a merge patch or a strategic merge patch, or an applied configuration. */
export const patch: Endpoint = async request => {
  const { context, resource, services } = request
  const mediaType = patchTypeOf(context, resource)
  if (mediaType === applyType) return apply(request)
  const form = requestedForm(request)
  const text = await readPatch(context)
  context.isLarge = text.length > largeBodyBytes
  const options = writeOptions(context.query, 'PatchOptions')
  const operation = operationFor(request, options)
  const { version, name } = context.info
  // that there is nothing to patch comes before what is wrong with the patch
  let patcher: Patcher | undefined
  const written = await store(operation, {
    name,
    compute(current) {
      patcher ??= makePatcher(context, mediaType, text, resource.type(version), options)
      const object = patcher(version === resource.memoryVersion.name ? current : resource.inVersion(cloneJson(current), version))
      checkPatched(request, object)
      const stored = resource.toStorage(object, version)
      resource.kind.strategy?.default?.(stored, operation)
      return stored
    }
  })
  return respondStored(context, form, resource, written, services.clock.now())
}

/** A patch may not turn an object into another kind, nor move it. */
function checkPatched({ context, resource }: EndpointRequest, object: any): void {
  checkNamespace(object.metadata, resource.namespaced, context.info.namespace)
  checkName(object.metadata.name, context.info.name)
}

export function makePatcher(
  context: RequestContext,
  mediaType: string,
  text: string,
  type: StructType,
  options: WriteOptions
): Patcher {
  const checked = options.fieldValidation !== 'Ignore'
  try {
    switch (mediaType) {
      case jsonPatchType: {
        const operations = decodeJsonPatch(text, { checked, parse: parseExact })
        const problems = checked ? jsonPatchFieldErrors(text) : []
        return document =>
          patched(context, type, options.fieldValidation, problems, document, (current, opened) =>
            guard(() => applyJsonPatch(current, operations, opened, text))
          )
      }
      case mergePatchType: {
        const merge = decodeMergePatch(text, { checked, parse: parseExact })
        const problems = checked ? duplicatesOf(text) : []
        return document =>
          patched(context, type, options.fieldValidation, problems, document, (current, opened) =>
            guard(() => applyMergePatch(current, merge, opened))
          )
      }
      default: {
        const merge = decodeStrategicMergePatch(text, { checked, parse: parseExact })
        const problems = checked ? duplicatesOf(text) : []
        return document => {
          const { object, remainder } = guard(() => applyStrategicMergePatch(document, merge, type))
          // the original does not write and read JSON here, and says other things
          const look = (value: JsonObject) => conversionProblems(type, value).unknown
          return decodePatched(context, type, object, {
            text: () => goValue(remainder),
            convertedTo: { kind: document.kind, apiVersion: document.apiVersion },
            look,
            validation: options.fieldValidation,
            problems
          })
        }
      }
    }
  } catch (error) {
    throw asStatus(error)
  }
}

const duplicatesOf = (text: string): string[] => strictFieldErrors(text, 'any')

function patched(
  context: RequestContext,
  type: StructType,
  validation: FieldValidation,
  problems: readonly string[],
  document: JsonObject,
  apply: (document: JsonObject, opened?: Opened) => unknown
): any {
  const object = apply(document)
  const text = () => {
    if (type.decoder) return sortedJson(object)
    const opened: Opened = new Set()
    return openedJson(apply(inFieldOrder(type, document) as JsonObject, opened), opened)
  }
  const look = () => strictFieldErrors(text(), type)
  return decodePatched(context, type, object, { text, again: () => parseExact(text()), look, validation, problems })
}

interface PatchedDocument {
  /** How an error shows the value that could not be decoded. */
  readonly text: () => string
  /** The same in the order of that text: what is wrong first is what an error tells of. */
  readonly again?: () => unknown
  /** Set for a document that is converted rather than decoded: it stays of this type, whatever it says itself. */
  readonly convertedTo?: { readonly kind: unknown; readonly apiVersion: unknown }
  /** The unknown fields of a document that has some. */
  readonly look: (value: JsonObject) => readonly string[]
  readonly validation: FieldValidation
  /** What was found in the patch itself. */
  readonly problems: readonly string[]
}

function decodePatched(
  context: RequestContext,
  type: StructType,
  value: unknown,
  { text, again, convertedTo, look, validation, problems }: PatchedDocument
): any {
  if (!isObject(value))
    throw invalidPatch(
      goQuote(text()),
      `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type ${type.go}`
    )
  let result: ReturnType<typeof decode>
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
        const own = known(type, kind, apiVersion)
        result = own
          ? decode(type, { ...own, ...rest })
          : { object: { metadata: {} }, hasUnknown: Object.keys(rest).length > 0, unknown: allFields(rest) }
      }
    }
  } catch (error) {
    if (error instanceof DecodeError)
      throw invalidPatch(goQuote(text()), (again && !(error instanceof KindError) && problemOf(type, again())) || error.message)
    throw error
  }
  if (validation === 'Ignore') return result.object
  const unknown = () => result.unknown?.map(path => `unknown field ${goQuote(path)}`) ?? look(value)
  const found = result.hasUnknown ? [...problems, ...unknown()] : problems
  if (found.length > 0) {
    if (validation === 'Strict') throw invalidPatch(goQuote(text()), `strict decoding error: ${found.join(', ')}`)
    for (const problem of found) context.warn(problem)
  }
  return result.object
}

/** A document that does not say what it is. */
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
 * The kind of a patched document, which may have lost its own; undefined for one without a version: it is taken for the
 * internal form of the kind, which knows none of its fields.
 */
function known(type: StructType, kind: unknown, apiVersion: unknown): { kind: string; apiVersion: string } | undefined {
  checkTypeMeta(kind, apiVersion)
  const [version, name] = [(apiVersion ?? '') as string, (kind ?? '') as string]
  const own = type.gvks.find(g => (name === '' || g.kind === name) && (version === '' || apiVersionOf(g) === version))
  if (!own)
    throw new KindError(`no kind ${goQuote(name)} is registered for version ${goQuote(version)} in scheme ${goQuote(scheme)}`)
  return version === '' ? undefined : { kind: own.kind, apiVersion: version }
}

/** A custom resource says what it is itself, and that it is another one is found late. */
function checkCustomType({ gvks: [own] }: StructType, { kind, apiVersion, metadata }: JsonObject, text: () => string): void {
  checkTypeMeta(kind, apiVersion)
  if (!kind) throw new KindError(`Object 'Kind' is missing in '${text()}'`)
  if (!apiVersion) throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'")
  const name = (metadata as { name?: string } | undefined)?.name ?? ''
  if (kind !== own!.kind) throw wrongKind(own!, kind as string, name)
  if (apiVersion !== apiVersionOf(own!)) throw wrongVersion(own!, apiVersion as string, name)
}

function guard<T>(apply: () => T): T {
  try {
    return apply()
  } catch (error) {
    throw asStatus(error)
  }
}

/** The patch functions know nothing of Status objects. */
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

/** The text of a patch. Throws 413 where there is more in it than can be looked at. */
export async function readPatch(context: RequestContext): Promise<string> {
  const body = await context.readBody(maxBodyBytes)
  checkValueCount(body)
  return body.toString('utf8')
}
