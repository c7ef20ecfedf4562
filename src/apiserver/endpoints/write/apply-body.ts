/** Reads the body of an apply: a configuration in CBOR, in YAML, or in JSON, which is nearly a subset of that. */

import { SyntaxFailure } from '../../../apimachinery/formats/body-format.js'
import { CborError } from '../../../apimachinery/formats/cbor/cursor.js'
import { readCborMap } from '../../../apimachinery/formats/cbor/read.js'
import { scanJson } from '../../../apimachinery/formats/duplicate-keys.js'
import { checkValueCount } from '../../../apimachinery/formats/value-limit.js'
import { infiniteNumber } from '../../../apimachinery/formats/written-numbers.js'
import { parseYamlAside } from '../../../apimachinery/formats/yaml-body.js'
import { notAllowed } from '../../../apimachinery/formats/yaml-parse.js'
import type { RequestContext } from '../../../apimachinery/request/context.js'
import { badRequest } from '../../../apimachinery/status/status.js'
import { parseExact } from '../../../util/exact-json.js'
import { isObject, type JsonObject, maxJsonDepth } from '../../../util/json.js'
import type { EndpointRequest } from '../endpoint.js'
import type { FieldValidation } from './options.js'
import { applyCborType, patchTypeOf } from './patch-type.js'

export interface Configuration {
  readonly value: JsonObject
  /** Call it after the apply: duplicate keys are a warning, or a 400 under strict field validation. */
  checkDuplicates(): void
}

export async function readConfiguration(
  { context, resource }: Pick<EndpointRequest, 'context' | 'resource'>,
  body: Buffer,
  validation: FieldValidation
): Promise<Configuration> {
  if (patchTypeOf(context, resource) === applyCborType) return { value: cborConfiguration(body), checkDuplicates() {} }
  const text = body.toString('utf8')
  if (looksLikeJson(text)) checkValueCount(body)
  const plain = plainJson(text)
  const { value, duplicates } =
    plain === undefined ? await yaml(text, context.user.name) : { value: plain, duplicates: noDuplicates }
  if (isObject(value)) return { value, checkDuplicates: () => checkDuplicates(context, duplicates, validation) }
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw badRequest(
    `error decoding patch: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`
  )
}

/** Repeated keys are errors in CBOR, whatever the field validation. */
function cborConfiguration(body: Buffer): JsonObject {
  try {
    return readCborMap(body)
  } catch (error) {
    throw error instanceof CborError ? badRequest(`error decoding patch: ${error.message}`) : error
  }
}

const looksLikeJson = (text: string) => /^\s*\{/.test(text)

/** Parses JSON that YAML would read the same way. */
function plainJson(text: string): unknown {
  if (!looksLikeJson(text) || notAllowed.test(text)) return undefined
  try {
    const value = parseExact(text)
    const { duplicates, depth } = scanJson(text)
    // in YAML, a number that no double can hold is a text
    const isPlain = duplicates.length === 0 && depth <= maxJsonDepth && infiniteNumber(text) === undefined
    return isPlain ? value : undefined
  } catch {
    return undefined
  }
}

const noDuplicates: readonly string[] = []

function checkDuplicates(context: RequestContext, duplicates: readonly string[], validation: FieldValidation): void {
  if (duplicates.length === 0 || validation === 'Ignore') return
  if (validation === 'Strict') {
    throw badRequest(
      `error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`
    )
  }
  for (const problem of duplicates) context.warn(problem)
}

async function yaml(text: string, user: string): Promise<{ value: unknown; duplicates: readonly string[] }> {
  try {
    const { value, yamlDuplicates } = await parseYamlAside(text, user)
    return { value: value ?? {}, duplicates: yamlDuplicates }
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error
    // kube-apiserver makes JSON of what does not look like it, for audit, before it decodes
    throw badRequest(
      looksLikeJson(text)
        ? `error decoding patch: error converting YAML to JSON: ${error.message}`
        : `error encoding patch: ${error.message}`
    )
  }
}
