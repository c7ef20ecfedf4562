/** Patches as functions: a document goes in, the patched and decoded object comes out. */
import { strictFieldErrors } from '../../../apimachinery/formats/strict-fields.js'
import { type WrittenNumbers, writtenNumbers } from '../../../apimachinery/formats/written-numbers.js'
import { conversionProblems } from '../../../apimachinery/patch/conversion.js'
import {
  decodeJsonPatch,
  decodeMergePatch,
  decodeStrategicMergePatch,
  jsonPatchFieldErrors
} from '../../../apimachinery/patch/decode.js'
import { applyJsonPatch, applyJsonPatchInTurns } from '../../../apimachinery/patch/json-patch.js'
import { applyMergePatch } from '../../../apimachinery/patch/merge-patch.js'
import type { Opened } from '../../../apimachinery/patch/opened-json.js'
import { PatchError } from '../../../apimachinery/patch/patch-error.js'
import { applyStrategicMergePatch } from '../../../apimachinery/patch/strategic-merge-patch.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import type { StructType } from '../../../apimachinery/schema/model.js'
import { StatusError } from '../../../apimachinery/status/status.js'
import { parseExact } from '../../../util/exact-json.js'
import { goValue } from '../../../util/go-format.js'
import type { JsonObject } from '../../../util/json.js'
import { decodePatched, type PatchedObject, patched } from './decode-patched.js'
import type { WriteOptions } from './options.js'
import { jsonPatchType, mergePatchType, strategicPatchType } from './patch-type.js'

/** Applies a patch to a document and decodes the result. Called again after a conflict. */
export type Patcher = (document: JsonObject) => PatchedObject | Promise<PatchedObject>

/**
 * Of a JSON Patch with more than `atOnce` operations, the patcher returns a promise. A patch of a built-in type that has numbers such as `1.0`
 * is first applied with a stand-in for each, which an integer field refuses; that of a custom resource, to find where they are.
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
  const written = mediaType === strategicPatchType ? undefined : writtenNumbers(text, !type.decoder)
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
  // Go patches the text of JSON: a quantity keeps all its digits
  const parse = (json: string) => parseExact(json, !type.decoder)
  try {
    switch (mediaType) {
      case jsonPatchType: {
        const operations = decodeJsonPatch(text, { checked, parse })
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
        const merge = decodeMergePatch(text, { checked, parse })
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
