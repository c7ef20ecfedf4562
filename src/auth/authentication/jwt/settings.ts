/** Finds the configuration of authentication: the one in a file, or the one that the --oidc-* flags stand for. */
import { readFile } from 'node:fs/promises'
import { ConfigError } from '../../../apimachinery/config/read-config.js'
import { type EnabledGates, Path } from '../../../apimachinery/validation/field.js'
import type { EgressSelector } from '../../../transport/egress/egress-selector.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import { equalJson } from '../../../util/json.js'
import { fileError, UserError } from '../../../util/user-error.js'
import type { CompiledJwt } from './compiled.js'
import { type AnonymousConfig, type AuthenticationConfiguration, readAuthenticationConfiguration } from './configuration.js'
import { type OidcOptions, oidcConfiguration } from './oidc-flags.js'
import { validateConfiguration } from './validate.js'

export interface AuthenticationOptions extends OidcOptions {
  readonly authenticationConfig?: string | undefined
  readonly anonymousAuth?: boolean | undefined
}

export interface AuthenticationSettings {
  readonly jwt: readonly CompiledJwt[]
  readonly signingAlgorithms: readonly string[]
  /** The file's rules for anonymous requests; undefined when it has none. */
  readonly anonymous: AnonymousConfig | undefined
  /** The file, which is followed, and its text. */
  readonly file: { readonly path: string; readonly text: string } | undefined
  /** The connections to issuers whose configuration names a network. */
  readonly egress: EgressSelector
  readonly features?: EnabledGates | undefined
}

/** All algorithms that a configuration file may allow. */
const allAlgorithms = ['ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512', 'RS256', 'RS384', 'RS512']
const defaultAlgorithms = ['RS256']

/** Rejects with a UserError that has kube-apiserver's words. `disallowedIssuers` are the issuers of service account tokens. */
export async function loadAuthenticationSettings(
  options: AuthenticationOptions,
  disallowedIssuers: readonly string[],
  egress: EgressSelector = {},
  features?: EnabledGates
): Promise<AuthenticationSettings> {
  const { authenticationConfig: path, anonymousAuth, oidcSigningAlgs } = options
  const fromFlags = await oidcConfiguration(options)
  if (path !== undefined && fromFlags) throw new UserError('authentication-config file and oidc-* flags are mutually exclusive')
  const file = path === undefined ? undefined : { path, text: await readConfigFile(path) }
  const configuration = file ? readFrom(file) : (fromFlags ?? {})
  const { anonymous } = configuration
  if (anonymous && anonymousAuth !== undefined)
    throw new UserError(
      'anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured in authentication configuration file'
    )
  const signingAlgorithms = file ? allAlgorithms : oidcSigningAlgs?.length ? oidcSigningAlgs : defaultAlgorithms
  try {
    const jwt = compileConfiguration(configuration, disallowedIssuers, { egress, features })
    checkAlgorithms(jwt, signingAlgorithms)
    return { jwt, signingAlgorithms, anonymous, file, egress, features }
  } catch (error) {
    throw error instanceof ConfigError ? new UserError(error.message) : error
  }
}

/** Throws a ConfigError for a configuration that is not valid, or that this server cannot use. */
function compileConfiguration(
  configuration: AuthenticationConfiguration,
  disallowedIssuers: readonly string[],
  { egress: { networks }, features }: Pick<AuthenticationSettings, 'egress' | 'features'>
) {
  const { jwt, errors } = validateConfiguration(configuration, disallowedIssuers, features)
  if (errors.any) {
    const texts = errors.list.map(({ field, message }) => `${field}: ${message}`)
    throw new ConfigError(`invalid authentication configuration: ${aggregateText(texts)}`)
  }
  for (const { config } of jwt) {
    const { egressSelectorType } = config.issuer
    if (!egressSelectorType) continue
    if (!networks) throw new ConfigError(`oidc: egress lookup required with egress selector type ${goQuote(egressSelectorType)}`)
    // a network must be configured here, even if it is reached directly
    if (!networks.has(egressSelectorType))
      throw new ConfigError(`oidc: egress lookup for ${goQuote(egressSelectorType)} is not configured`)
  }
  return jwt
}

/** Reads the text that replaces the one of `file`. Throws a ConfigError. */
export function reloadedConfiguration(
  text: string,
  { anonymous, egress, features }: AuthenticationSettings,
  disallowedIssuers: readonly string[]
): readonly CompiledJwt[] {
  const configuration = readAuthenticationConfiguration(text)
  if (!equalJson(anonymous, configuration.anonymous))
    throw new ConfigError(`${Path.of('anonymous')}: Forbidden: changed from initial configuration file`)
  return compileConfiguration(configuration, disallowedIssuers, { egress, features })
}

async function readConfigFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw fileError(`failed to load authentication configuration from file ${goQuote(path)}: open ${path}`, error)
  }
}

function readFrom({ path, text }: { path: string; text: string }): AuthenticationConfiguration {
  try {
    return readAuthenticationConfiguration(text)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new UserError(`failed to load authentication configuration from file ${goQuote(path)}: ${error.message}`)
  }
}

function checkAlgorithms(jwt: readonly CompiledJwt[], algorithms: readonly string[]): void {
  if (jwt.length === 0) return
  for (const algorithm of algorithms)
    if (!allAlgorithms.includes(algorithm)) throw new ConfigError(`oidc: unsupported signing alg: ${goQuote(algorithm)}`)
}
