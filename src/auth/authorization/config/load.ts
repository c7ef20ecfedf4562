/** Reads and validates the file of --authorization-config, at the start and after each of its changes. */
import { readFileSync } from 'node:fs'
import { ConfigError } from '../../../apimachinery/config/read-config.js'
import { FieldErrors } from '../../../apimachinery/validation/field.js'
import { goFileError } from '../../../util/go-file-error.js'
import { aggregateText } from '../../../util/go-format.js'
import { type AuthorizerConfiguration, readConfiguration } from './configuration.js'
import { validateConfiguration } from './validation.js'

/** Reads the file. Throws a ConfigError. */
export function readConfigurationFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(goFileError('open', path, error))
  }
}

/** Returns the authorizers of a configuration, which must have those of the types in `required`. Throws a ConfigError. */
export function loadConfiguration(text: string, required: readonly string[] = []): readonly AuthorizerConfiguration[] {
  const authorizers = parsed(text)
  const errors = new FieldErrors()
  errors.collect(() => validateConfiguration(authorizers, errors))
  if (errors.any) throw new ConfigError(aggregateText(errors.list.map(({ field, message }) => `${field}: ${message}`)))
  const others = authorizers.filter(({ type }) => type !== 'Webhook')
  const problems = others.flatMap(({ type, name }) =>
    name === type.toLowerCase() ? [] : [`expected name ${type.toLowerCase()} for authorizer ${type} instead of ${name}`]
  )
  const missing = required.filter(type => !others.some(other => other.type === type)).toSorted()
  if (missing.length > 0) problems.push(`missing required types: [${missing.join(' ')}]`)
  if (problems.length > 0) throw new ConfigError(aggregateText(problems))
  return authorizers
}

function parsed(text: string): readonly AuthorizerConfiguration[] {
  try {
    return readConfiguration(text)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(`failed to load AuthorizationConfiguration from file: ${error.message}`)
  }
}
