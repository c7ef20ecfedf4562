/** The configuration of the authorizers from --authorization-mode and the flags beside it, or from --authorization-config. */
import { ConfigError } from '../../../apimachinery/config/read-config.js'
import { aggregateText, goQuote } from '../../../util/go-format.js'
import { UserError } from '../../../util/user-error.js'
import type { AuthorizerConfiguration } from './configuration.js'
import { loadConfiguration, readConfigurationFile } from './load.js'

/** Binnacle's default. kube-apiserver's default is AlwaysAllow. */
const defaultModes: readonly string[] = ['Node', 'RBAC']

const knownModes: readonly string[] = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node']

/** webhooks of --authorization-mode have this name, this limit and this reaction to failures */
const webhookName = 'default'
const webhookTimeout = 30_000

export interface GivenConfiguration {
  readonly authorizers: readonly AuthorizerConfiguration[]
  /** The configuration file, if there is one, and its text. */
  readonly file: { readonly path: string; readonly text: string } | undefined
}

/** The server's options that concern authorization. */
export interface AuthorizationOptions {
  readonly authorizationMode?: readonly string[] | undefined
  readonly authorizationConfig?: string | undefined
  readonly authorizationPolicyFile?: string | undefined
  readonly authorizationWebhookConfigFile?: string | undefined
  readonly authorizationWebhookVersion?: string | undefined
  readonly authorizationWebhookCacheAuthorizedTTL?: number | undefined
  readonly authorizationWebhookCacheUnauthorizedTTL?: number | undefined
}

/** Returns the authorizers that the options ask for. Throws a UserError with what is wrong. */
export function authorizersFromOptions(options: AuthorizationOptions): GivenConfiguration {
  const { authorizationConfig: path } = options
  try {
    if (!path) return { authorizers: fromFlags(options), file: undefined }
    if (hasFlags(options))
      throw new ConfigError(
        '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined'
      )
    const text = readConfigurationFile(path)
    return { authorizers: loadConfiguration(text), file: { path, text } }
  } catch (error) {
    throw error instanceof ConfigError ? new UserError(error.message) : error
  }
}

const hasFlags = (options: AuthorizationOptions): boolean =>
  options.authorizationMode !== undefined ||
  options.authorizationWebhookConfigFile !== undefined ||
  options.authorizationWebhookVersion !== undefined ||
  options.authorizationWebhookCacheAuthorizedTTL !== undefined ||
  options.authorizationWebhookCacheUnauthorizedTTL !== undefined

function fromFlags(options: AuthorizationOptions): AuthorizerConfiguration[] {
  const modes = options.authorizationMode ?? defaultModes
  const problems = problemsOf(modes, options)
  if (problems.length > 0) throw new ConfigError(aggregateText(problems))
  return modes.map(type =>
    type === 'Webhook' ? { type, name: webhookName, webhook: webhookOf(options) } : { type, name: type.toLowerCase() }
  )
}

function problemsOf(modes: readonly string[], options: AuthorizationOptions): string[] {
  const { authorizationPolicyFile: policyFile = '', authorizationWebhookConfigFile: webhookFile = '' } = options
  const problems: string[] = []
  if (modes.length === 0) problems.push('at least one authorization-mode must be passed')
  for (const mode of modes) {
    if (!knownModes.includes(mode)) problems.push(`authorization-mode ${goQuote(mode)} is not a valid mode`)
    if (mode === 'ABAC' && policyFile === '') problems.push("authorization-mode ABAC's authorization policy file not passed")
    if (mode === 'Webhook' && webhookFile === '')
      problems.push("authorization-mode Webhook's authorization config file not passed")
  }
  if (policyFile !== '' && !modes.includes('ABAC')) problems.push('cannot specify --authorization-policy-file without mode ABAC')
  if (webhookFile !== '' && !modes.includes('Webhook'))
    problems.push('cannot specify --authorization-webhook-config-file without mode Webhook')
  if (new Set(modes).size !== modes.length)
    problems.push(`authorization-mode [${modes.map(goQuote).join(' ')}] has mode specified more than once`)
  return problems
}

function webhookOf(options: AuthorizationOptions): AuthorizerConfiguration['webhook'] {
  const { authorizationWebhookCacheAuthorizedTTL: authorizedTTL = 300_000 } = options
  const { authorizationWebhookCacheUnauthorizedTTL: unauthorizedTTL = 30_000 } = options
  return {
    authorizedTTL,
    cacheAuthorizedRequests: authorizedTTL !== 0,
    unauthorizedTTL,
    cacheUnauthorizedRequests: unauthorizedTTL !== 0,
    timeout: webhookTimeout,
    subjectAccessReviewVersion: options.authorizationWebhookVersion ?? 'v1beta1',
    matchConditionSubjectAccessReviewVersion: '',
    failurePolicy: 'NoOpinion',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: options.authorizationWebhookConfigFile },
    matchConditions: []
  }
}
