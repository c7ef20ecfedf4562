/** Reads the configuration of one plugin: a text of AdmissionConfiguration or of a file that it names. */
import {
  type Config,
  ConfigError,
  type ConfigKind,
  readConfig,
  readConfigLeniently
} from '../../apimachinery/config/read-config.js'
import { SyntaxFailure } from '../../apimachinery/formats/body-format.js'
import { parseJson } from '../../apimachinery/formats/json-body.js'
import { parseYaml } from '../../apimachinery/formats/yaml-body.js'
import { DecodeError, decode } from '../../apimachinery/schema/decode.js'
import type { StructType } from '../../apimachinery/schema/model.js'
import type { FieldErrors } from '../../apimachinery/validation/field.js'
import { aggregateText } from '../../util/go-format.js'
import { isObject } from '../../util/json.js'

/** A plugin can be made from its configuration, but cannot start with it. kube-apiserver words that differently. */
export class InitializationError extends ConfigError {}

/** Throws a ConfigError, also for unknown fields, unless the plugin is configured leniently. */
export function readPluginConfig(text: string, kind: ConfigKind, leniently = false): Config {
  if (text === '') throw new ConfigError("Object 'Kind' is missing in ''")
  return leniently ? readConfigLeniently(text, kind) : readConfig(text, kind)
}

/**
 * Reads a configuration from before they had kinds and versions. Unknown fields are ignored, and so is what follows a first document. A
 * text that begins as JSON may still be YAML only. Throws a ConfigError.
 */
export function readUnversioned(text: string, type: StructType): any {
  if (!/^\s*\{/.test(text)) return readYaml(text, type)
  try {
    return decode(type, parseJson(firstJson(text), true).value).object
  } catch (error) {
    if (error instanceof DecodeError) throw new ConfigError(error.message)
    if (!(error instanceof SyntaxFailure)) throw error
    try {
      return readYaml(text, type)
    } catch {
      const why = error.message.replace(/^.*json parse error: /, '')
      throw new ConfigError(why === 'unexpected end of JSON input' ? 'unexpected EOF' : why)
    }
  }
}

/** Returns the text up to the brace that closes the first object; the whole text when no brace does. */
function firstJson(text: string): string {
  let depth = 0
  // an unterminated string goes up to the end of the text
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (depth === 0) return text.slice(0, index + 1)
  }
  return text
}

function readYaml(text: string, type: StructType): any {
  try {
    return decode(type, parseYaml(text).value ?? {}).object
  } catch (error) {
    if (error instanceof SyntaxFailure) throw new ConfigError(`error converting YAML to JSON: ${error.message}`)
    throw error instanceof DecodeError ? new ConfigError(`error unmarshaling JSON: while decoding JSON: ${error.message}`) : error
  }
}

export const errorTexts = ({ list }: FieldErrors): string[] => list.map(({ field, message }) => `${field}: ${message}`)

/** Throws a ConfigError if there are errors. */
export function refuseInvalid(errors: FieldErrors): void {
  if (errors.any) throw new ConfigError(aggregateText(errorTexts(errors)))
}

/** Returns the members of a text that is a JSON or YAML object, whatever its kind. */
export function topLevel(text: string): Record<string, unknown> | undefined {
  try {
    const { value } = parseYaml(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
