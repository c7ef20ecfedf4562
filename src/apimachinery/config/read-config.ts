/**
 * Reads a configuration file, YAML or JSON, as kube-apiserver reads those of apiserver.config.k8s.io and audit.k8s.io: by its
 * kind and apiVersion, strictly.
 */

import { isObject } from '../../util/json.js'
import { type ParsedBody, SyntaxFailure } from '../formats/body-format.js'
import { parseJson } from '../formats/json-body.js'
import { strictFieldErrors } from '../formats/strict-fields.js'
import { parseYaml } from '../formats/yaml-body.js'
import { DecodeError, decode } from '../schema/decode.js'
import type { StructType } from '../schema/model.js'
import { notRegistered } from '../schema/registered.js'
import { describeJson } from '../schema/scalars.js'

/** The text is no configuration of the expected kind. The message is kube-apiserver's. */
export class ConfigError extends Error {}

export interface ConfigKind {
  readonly kind: string
  /** By apiVersion: `apiserver.config.k8s.io/v1`. */
  readonly versions: Readonly<Record<string, StructType>>
  /** Kinds that kube-apiserver knows in the same scheme, by their Go type, which it names when it finds one of them. */
  readonly others?: Readonly<Record<string, string>>
  /** The apiVersion of a text that names none; its kind may be missing, too. */
  readonly assumed?: string
}

export interface Config {
  readonly apiVersion: string
  readonly object: any
  /** The messages about unknown and duplicate fields: the file is to be refused, unless its kind is read leniently. */
  readonly strictErrors: readonly string[]
}

/** Reads `text`. Throws ConfigError, also for unknown and duplicate fields. */
export function readConfig(text: string, expected: ConfigKind): Config {
  const config = readConfigLeniently(text, expected)
  if (config.strictErrors.length > 0) throw new ConfigError(strictMessage(config.strictErrors))
  return config
}

export const strictMessage = (errors: readonly string[]) => `strict decoding error: ${errors.join(', ')}`

/** As readConfig, but returns the messages about unknown and duplicate fields. */
export function readConfigLeniently(text: string, { kind: wanted, versions, others = {}, assumed }: ConfigKind): Config {
  if (text === '') throw new ConfigError('empty config data')
  const { value, text: json, yamlDuplicates, hasDuplicates } = parse(text)
  const given = identityOf(value)
  const kind = given.kind || (assumed === undefined ? '' : wanted)
  const apiVersion = given.apiVersion || (assumed ?? '')
  if (kind === '') throw new ConfigError(`Object 'Kind' is missing in '${text}'`)
  if (apiVersion === '') throw new ConfigError(`Object 'apiVersion' is missing in '${text}'`)
  if (apiVersion.split('/').length > 2) throw new ConfigError(`unexpected GroupVersion string: ${apiVersion}`)
  if (kind !== wanted || !Object.hasOwn(versions, apiVersion)) {
    if (Object.hasOwn(others, kind)) throw new ConfigError(`expected ${wanted}, got *${others[kind]}`)
    throw new ConfigError(notRegistered(apiVersion, kind))
  }
  const type = versions[apiVersion]!
  try {
    const { object, hasUnknown } = decode(type, value ?? {})
    const yaml = yamlDuplicates.length > 0 ? [`yaml: unmarshal errors:\n  ${yamlDuplicates.join('\n  ')}`] : []
    const strictErrors = hasUnknown || hasDuplicates ? [...yaml, ...strictFieldErrors(json, type)] : yaml
    return { apiVersion, object, strictErrors }
  } catch (error) {
    throw error instanceof DecodeError ? new ConfigError(error.message) : error
  }
}

function parse(text: string): ParsedBody {
  try {
    return /^\s*\{/.test(text) ? parseJson(text, true) : parseYaml(text)
  } catch (error) {
    throw error instanceof SyntaxFailure ? new ConfigError(error.message) : error
  }
}

function identityOf(value: unknown): { kind: string; apiVersion: string } {
  const parseError = (why: string) => new ConfigError(`couldn't get version/kind; json parse error: ${why}`)
  if (value === null) return { kind: '', apiVersion: '' }
  if (!isObject(value))
    throw parseError(
      `json: cannot unmarshal ${describeJson(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`
    )
  const member = (name: 'kind' | 'apiVersion') => {
    const found = value[name] ?? ''
    if (typeof found === 'string') return found
    throw parseError(`json: cannot unmarshal ${describeJson(found)} into Go struct field .${name} of type string`)
  }
  return { kind: member('kind'), apiVersion: member('apiVersion') }
}
