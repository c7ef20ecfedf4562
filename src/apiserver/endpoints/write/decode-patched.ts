/** Decodes what a patch has made of a document, with kube-apiserver's errors, which show the document or the patch. */
import { strictFieldErrors } from '../../../apimachinery/formats/strict-fields.js'
import type { WrittenNumbers } from '../../../apimachinery/formats/written-numbers.js'
import { converted } from '../../../apimachinery/patch/conversion.js'
import { type Opened, openedJson } from '../../../apimachinery/patch/opened-json.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import { DecodeError, decode } from '../../../apimachinery/schema/decode.js'
import { inFieldOrder } from '../../../apimachinery/schema/field-order.js'
import type { StructType } from '../../../apimachinery/schema/model.js'
import { holdsRaw } from '../../../apimachinery/schema/raw-values.js'
import { allFields } from '../../../apimachinery/schema/unknown-fields.js'
import { plainError, type StatusError } from '../../../apimachinery/status/status.js'
import { parseExact } from '../../../util/exact-json.js'
import { goQuote } from '../../../util/go-format.js'
import { isObject, type JsonObject } from '../../../util/json.js'
import { sortedJson } from '../../../util/sorted-json.js'
import { withoutZeroDeletion } from './decode-custom.js'
import { noObject } from './decode-object.js'
import { type FieldValidation, invalidPatch } from './options.js'
import { checkCustomKind, KindError, patchedKind, problemOf } from './patched-kind.js'

/** What the result of a patch is decoded into, and how. */
export interface PatchTarget {
  readonly context: RequestContext
  readonly type: StructType
  readonly validation: FieldValidation
  /** Problems in the patch itself, such as duplicate keys. */
  readonly problems: readonly string[]
  /** The patch has stand-ins for its numbers. */
  readonly written: WrittenNumbers | undefined
}

export interface PatchedObject {
  readonly object: any
  /** Returns the error that says why the object does not fit the internal type. */
  readonly unconverted: (why: string) => StatusError
}

/** Applies a patch and decodes the result: `object`, where it has been applied already. */
export function patched(
  target: PatchTarget,
  document: JsonObject,
  apply: (document: JsonObject, opened?: Opened) => unknown,
  object = apply(document)
): PatchedObject {
  const { context, type, written } = target
  if (type.decoder && written) context.floats = written.wholeIn(object)
  const text = () => {
    if (type.decoder) return sortedJson(object)
    const opened: Opened = new Set()
    return openedJson(apply(inFieldOrder(type, document) as JsonObject, opened), opened)
  }
  const look = (_: JsonObject, found: StructType) => strictFieldErrors(text(), found)
  return decodePatched(target, object, { text, again: () => parseExact(text(), !type.decoder), look })
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

/** Decodes what a patch has made of a document. Throws the error that kube-apiserver answers with, and warns of unknown fields. */
export function decodePatched(target: PatchTarget, value: unknown, document: PatchedDocument): PatchedObject {
  const { context, type, validation, problems } = target
  const { text, look } = document
  if (!isObject(value)) throw invalidPatch(goQuote(text()), notAnObject(type, value))
  const { found, result } = decoded(target, value, document)
  // a strategic merge patch is no document in kube-apiserver, which could be shown
  const unconverted = (why: string) => (document.convertedTo ? plainError(why) : invalidPatch(goQuote(text()), why))
  const made = { object: result.object, unconverted }
  if (validation === 'Ignore') return made
  const unknown = () => result.unknown?.map(path => `unknown field ${goQuote(path)}`) ?? look(value, found)
  const warned = result.hasUnknown ? [...problems, ...unknown()] : problems
  if (warned.length > 0 && validation === 'Strict')
    throw invalidPatch(goQuote(text()), `strict decoding error: ${warned.join(', ')}`)
  for (const problem of warned) context.warn(problem)
  return made
}

const notAnObject = (type: StructType, value: unknown): string =>
  type.decoder
    ? `json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type ${type.go}`
    : noObject(value)

interface Decoded {
  /** The type of the document, which may be that of another version. */
  readonly found: StructType
  readonly result: ReturnType<typeof decode>
}

function decoded({ type, written }: PatchTarget, value: JsonObject, { text, again, convertedTo }: PatchedDocument): Decoded {
  let found = type
  try {
    if (convertedTo) {
      const result = converted(type, value)
      Object.assign(result.object, convertedTo)
      return { found, result }
    }
    const { kind, apiVersion, ...rest } = value
    if (type.decoder) {
      checkCustomKind(type, value, text)
      const result = decode(type, { kind, apiVersion, ...rest })
      withoutZeroDeletion(result.object)
      return { found, result }
    }
    const own = patchedKind(type, value)
    if (!own)
      return { found, result: { object: { metadata: {} }, hasUnknown: Object.keys(rest).length > 0, unknown: allFields(rest) } }
    found = own.type
    // raw values keep the order of their text
    const content = again && holdsRaw(found) ? (again() as JsonObject) : rest
    return { found, result: decode(found, { ...own.meta, ...content, ...own.meta }) }
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error
    const why = (again && !(error instanceof KindError) && problemOf(found, again())) || error.message
    throw written ? invalidPatch(goQuote(written.restoreAll(text())), written.restore(why)) : invalidPatch(goQuote(text()), why)
  }
}
