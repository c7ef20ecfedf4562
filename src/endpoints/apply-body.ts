/** The body of an apply: a configuration in YAML, or in JSON, which is nearly the same. */

import { parseYaml, SyntaxFailure } from '../formats/body.js'
import { scanJson } from '../formats/duplicate-keys.js'
import type { RequestContext } from '../server/context.js'
import { badRequest } from '../server/status.js'
import { parseExact } from '../util/exact-json.js'
import { isObject, type JsonObject, maxJsonDepth } from '../util/json.js'
import type { FieldValidation } from './options.js'

/** Reads the configuration; keys that come twice are a warning, or a 400 where validation is strict. */
export function readConfiguration(context: RequestContext, body: Buffer, validation: FieldValidation): JsonObject {
  const text = body.toString('utf8')
  const value = plainJson(text) ?? yaml(text, context, validation)
  if (isObject(value)) return value
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`
  )
}

/** JSON that YAML would understand the same way. */
function plainJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    const value = parseExact(text)
    const { duplicates, depth } = scanJson(text)
    return duplicates.length === 0 && depth <= maxJsonDepth ? value : undefined
  } catch {
    return undefined
  }
}

function yaml(text: string, context: RequestContext, validation: FieldValidation): unknown {
  try {
    const { value, yamlDuplicates } = parseYaml(text)
    if (yamlDuplicates.length > 0 && validation === 'Strict') {
      throw badRequest(
        `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${yamlDuplicates.join('\n  ')}`
      )
    }
    if (validation !== 'Ignore') for (const problem of yamlDuplicates) context.warn(problem)
    return value ?? {}
  } catch (error) {
    if (error instanceof SyntaxFailure) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`)
    throw error
  }
}
