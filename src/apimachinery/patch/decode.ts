/**
 * Decodes patch bodies. The message for a mistake depends on whether fields are validated (`checked`: any fieldValidation except
 * Ignore), because only then does the strict decoder read the patch first.
 */

import { isDeeperThan, isObject, type JsonObject, maxJsonDepth } from '../../util/json.js'
import { jsonSyntaxError } from '../formats/json-syntax.js'
import { type StrictTarget, strictFieldErrors } from '../formats/strict-fields.js'
import { infiniteNumber } from '../formats/written-numbers.js'
import { badPatch, PatchError } from './patch-error.js'

export interface DecodeOptions {
  readonly checked: boolean
  /** A parser that preserves integers beyond 2^53. */
  readonly parse?: (text: string) => unknown
}

const maxOperations = 10_000

const operationMembers = ['op', 'path', 'from']

/** Decodes the operations of a JSON Patch. They may still lack members or have wrong ones, which only applying them reveals. */
export function decodeJsonPatch(text: string, options: DecodeOptions): JsonObject[] {
  const prefix = options.checked ? 'error decoding patch: ' : ''
  const [list, item] = options.checked
    ? ['[]handlers.jsonPatchOp', 'handlers.jsonPatchOp']
    : ['jsonpatch.Patch', 'jsonpatch.Operation']
  const patch = parse(text, options, prefix) ?? []
  if (!Array.isArray(patch)) throw badPatch(`${prefix}${mismatch(patch, `value of type ${list}`)}`)
  for (const operation of patch) {
    if (operation === null) continue
    if (!isObject(operation)) throw badPatch(`${prefix}${mismatch(operation, `value of type ${item}`)}`)
    if (!options.checked) continue
    for (const [member, value] of Object.entries(operation)) {
      if (operationMembers.includes(member) && value !== null && typeof value !== 'string') {
        throw badPatch(`${prefix}${mismatch(value, `struct field jsonPatchOp.${member} of type string`)}`)
      }
    }
  }
  if (options.checked) checkNumbers(text, prefix, 'struct field jsonPatchOp.value')
  if (patch.length > maxOperations) {
    throw new PatchError(
      413,
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`
    )
  }
  return patch.map(operation => operation ?? {})
}

/** Returns the strict decoder's errors for a well-formed JSON Patch, such as `json patch unknown field "[0].foo"`. */
export function jsonPatchFieldErrors(text: string): string[] {
  return strictFieldErrors(text, operationList).map(message => `json patch ${message}`)
}

/** Decodes a merge patch: an object, or an unchecked list, which replaces the object. */
export function decodeMergePatch(text: string, options: DecodeOptions): JsonObject | unknown[] {
  const prefix = 'error decoding patch: '
  const invalid = 'Invalid JSON Patch'
  const patch = options.checked ? parse(text, options, prefix) : parse(text, options, '', invalid)
  if (options.checked) checkNumbers(text, prefix, 'value')
  if (isObject(patch) || (Array.isArray(patch) && !options.checked)) return patch
  throw badPatch(
    patch === null || !options.checked ? invalid : `${prefix}${mismatch(patch, 'value of type map[string]interface {}')}`
  )
}

export function decodeStrategicMergePatch(text: string, options: DecodeOptions): JsonObject {
  const patch = parse(text, options, '') ?? {}
  checkNumbers(text, '', 'value')
  if (!isObject(patch)) throw badPatch(mismatch(patch, 'value of type map[string]interface {}'))
  return patch
}

/** Go reads numbers of unknown type as doubles. */
function checkNumbers(text: string, prefix: string, target: string): void {
  const found = infiniteNumber(text)
  if (found !== undefined) throw badPatch(`${prefix}json: cannot unmarshal number ${found} into Go ${target} of type float64`)
}

function parse(text: string, options: DecodeOptions, prefix: string, syntaxError?: string): unknown {
  let patch: unknown
  try {
    patch = (options.parse ?? JSON.parse)(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw badPatch(syntaxError ?? `${prefix}${jsonSyntaxError(text) ?? error.message}`)
  }
  if (isDeeperThan(patch, maxJsonDepth)) throw badPatch(`${prefix}exceeded max depth`)
  return patch
}

function mismatch(value: unknown, target: string): string {
  const kind = Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'bigint'
        ? 'number'
        : typeof value
  return `json: cannot unmarshal ${kind} into Go ${target}`
}

const operationList: StrictTarget = {
  kind: 'list',
  items: {
    kind: 'struct',
    byName: new Map<string, { type: StrictTarget }>([
      ...operationMembers.map(name => [name, { type: undefined }] as const),
      ['value', { type: 'any' }]
    ])
  }
}
