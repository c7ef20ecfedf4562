/** Reads the configuration of one plugin: a text of AdmissionConfiguration or of a file that it names. */
import { type Config, ConfigError, type ConfigKind, readConfig, readConfigLeniently } from '../../config/read-config.js'
import { parseJson, parseYaml, SyntaxFailure } from '../../formats/body.js'
import { DecodeError, decode } from '../../schema/decode.js'
import type { StructType } from '../../schema/model.js'
import { aggregateText } from '../../util/go-format.js'
import { isObject } from '../../util/json.js'
import type { FieldErrors } from '../../validation/field.js'

/** The plugin can be made from its configuration, but cannot start with it: kube-apiserver words that differently. */
export class InitializationError extends ConfigError {}

/** Throws a ConfigError, also for unknown fields, except of plugins that are configured leniently. */
export function readPluginConfig(text: string, kind: ConfigKind, leniently = false): Config {
  if (text === '') throw new ConfigError("Object 'Kind' is missing in ''")
  return leniently ? readConfigLeniently(text, kind) : readConfig(text, kind)
}

/** Reads a configuration from before they had kinds and versions. Unknown fields are ignored. Throws a ConfigError. */
export function readUnversioned(text: string, type: StructType): any {
  try {
    const { value } = /^\s*\{/.test(text) ? parseJson(text, true) : parseYaml(text)
    return decode(type, value ?? {}).object
  } catch (error) {
    throw error instanceof SyntaxFailure || error instanceof DecodeError ? new ConfigError(error.message) : error
  }
}

export const errorTexts = ({ list }: FieldErrors): string[] => list.map(({ field, message }) => `${field}: ${message}`)

/** Throws a ConfigError if there are errors. */
export function refuseInvalid(errors: FieldErrors): void {
  if (errors.any) throw new ConfigError(aggregateText(errorTexts(errors)))
}

/** Returns the members of a text that is an object, whatever its kind. */
export function topLevel(text: string): Record<string, unknown> | undefined {
  try {
    const { value } = parseYaml(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
