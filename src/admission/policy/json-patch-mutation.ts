/** Mutations by JSON patches. */
import { DeclaredObject } from '../../apimachinery/cel/evaluate/declared-object.js'
import type { ListValue, Value } from '../../apimachinery/cel/values/value.js'
import { applyJsonPatch } from '../../apimachinery/patch/json-patch.js'
import { RejectedOperation } from '../../apimachinery/patch/patch-error.js'
import type { JsonObject } from '../../util/json.js'
import { MutationError } from './mutation-error.js'
import { Budget, jsonOf, typeMismatch, UnfitValue } from './patch-values.js'

/** Returns a patched copy of `object`, or undefined if a test in the patch fails, which leaves the object as it is. Throws a MutationError. */
export function jsonPatchMutation(object: JsonObject, value: Value): JsonObject | undefined {
  const budget = new Budget()
  const operations: JsonObject[] = []
  for (const operation of value as ListValue) operations.push(operationOf(operation, budget))
  try {
    return applyJsonPatch(object, operations) as JsonObject
  } catch (error) {
    if (!(error instanceof RejectedOperation)) throw error
    if (error.testFailed) return undefined
    throw new MutationError(`JSON Patch: ${error.why}`)
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
