/** Mutations by JSON patches. */
import { DeclaredObject } from '../../apimachinery/cel/evaluate/declared-object.js'
import type { ListValue, Value } from '../../apimachinery/cel/values/value.js'
import { strictFieldErrors } from '../../apimachinery/formats/strict-fields.js'
import { applyJsonPatch } from '../../apimachinery/patch/json-patch.js'
import { RejectedOperation } from '../../apimachinery/patch/patch-error.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import { internalError } from '../../apimachinery/status/status.js'
import { exactJson } from '../../util/exact-json.js'
import type { JsonObject } from '../../util/json.js'
import { MutationError } from './mutation-error.js'
import { Budget, jsonOf, typeMismatch, UnfitValue } from './patch-values.js'

/**
 * Returns a patched copy of `object`, which is in the version of `type`, or `object` itself if a test in the patch fails. Throws
 * a MutationError, and a StatusError when the result does not fit the type.
 */
export function jsonPatchMutation(type: StructType, object: JsonObject, value: Value): JsonObject {
  const budget = new Budget()
  const operations: JsonObject[] = []
  for (const operation of value as ListValue) operations.push(operationOf(operation, budget))
  let patched: unknown
  try {
    patched = applyJsonPatch(object, operations)
  } catch (error) {
    if (!(error instanceof RejectedOperation)) throw error
    if (error.testFailed) return object
    throw new MutationError(`JSON Patch: ${error.why}`)
  }
  if (type.decoder) return patched as JsonObject
  // a patch may remove kind and apiVersion
  const { kind = object.kind, apiVersion = object.apiVersion } = patched as JsonObject
  if (kind !== object.kind || apiVersion !== object.apiVersion)
    throw internalError(
      `failed to convert object: ${String(object.kind)} to ${String(apiVersion)}, Kind=${String(kind)}: unknown conversion`
    )
  try {
    const { object: decoded, hasUnknown } = decode(type, { ...(patched as JsonObject), kind, apiVersion })
    if (hasUnknown)
      throw internalError(`strict decoding error: ${strictFieldErrors(exactJson(patched as object), type).join(', ')}`)
    return decoded
  } catch (error) {
    if (error instanceof DecodeError) throw internalError(error.message)
    throw error
  }
}

function operationOf(value: Value, budget: Budget): JsonObject {
  if (!(value instanceof DeclaredObject))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array')
  const member = (name: string) => value.fields.get(name)
  const text = (name: string) => (member(name) as string | undefined) ?? ''
  const operation: JsonObject = { op: text('op'), path: text('path') }
  if (text('from') !== '') operation.from = text('from')
  const given = member('value')
  if (given === undefined) return operation
  const mismatch = typeMismatch(given)
  if (mismatch !== undefined) throw new MutationError(mismatch)
  try {
    operation.value = jsonOf(given, budget)
  } catch (error) {
    if (!(error instanceof UnfitValue)) throw error
    const what = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON'
    throw new MutationError(`${what}: ${error.message}`)
  }
  return operation
}
