/** Reads the files that authorization needs before a server starts. */
import { readFile } from 'node:fs/promises'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { type Kubeconfig, loadKubeconfig } from '../../transport/webhooks/kubeconfig.js'
import { goFileError } from '../../util/go-file-error.js'
import { goQuote } from '../../util/go-format.js'
import type { Logger } from '../../util/logger.js'
import { UserError } from '../../util/user-error.js'
import { type Policy, readPolicies } from './abac/policy.js'
import type { AuthorizerConfiguration } from './config/configuration.js'
import { type AuthorizationOptions, authorizersFromOptions } from './config/flags.js'
import { reviewVersions } from './webhook/review.js'

export interface LoadedAuthorization {
  readonly configuration: readonly AuthorizerConfiguration[]
  /** The configuration file, if there is one, and its text. */
  readonly file: { readonly path: string; readonly text: string } | undefined
  /** The policies of the mode ABAC. */
  readonly policies: readonly Policy[]
  /** The kubeconfigs of the webhooks, by their paths. */
  readonly kubeconfigs: ReadonlyMap<string, Kubeconfig>
}

/** Rejects with a UserError. */
export async function loadAuthorization(options: AuthorizationOptions, log: Logger): Promise<LoadedAuthorization> {
  const { authorizers: configuration, file } = authorizersFromOptions(options)
  const needsPolicies = configuration.some(({ type }) => type === 'ABAC')
  try {
    const policies = needsPolicies ? await loadPolicies(options.authorizationPolicyFile ?? '', log) : []
    return { configuration, file, policies, kubeconfigs: await loadKubeconfigs(configuration) }
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof UserError)) throw error
    throw new UserError(`invalid authorization config: ${error.message}`, { cause: error })
  }
}

async function loadPolicies(path: string, log: Logger): Promise<readonly Policy[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new UserError(goFileError('open', path, error))
  }
  const { policies, hasUnversioned } = readPolicies(path, text)
  if (hasUnversioned) log.info(`--authorization-policy-file ${path} has policies in the old form, without a version`)
  return policies
}

/** Reads the kubeconfig files of the webhooks. Rejects with a ConfigError or a UserError. */
export async function loadKubeconfigs(configuration: readonly AuthorizerConfiguration[]): Promise<Map<string, Kubeconfig>> {
  const found = new Map<string, Kubeconfig>()
  for (const { name, webhook } of configuration) {
    if (!webhook) continue
    const { connectionInfo, subjectAccessReviewVersion: version } = webhook
    if (!reviewVersions.includes(version))
      throw new ConfigError(
        `unsupported webhook authorizer version ${goQuote(version)}, supported versions are ${reviewVersions.map(goQuote).join(', ')}`
      )
    const path = connectionInfo.kubeConfigFile
    // kube-apiserver accepts an authorizer of this type and then crashes
    if (!path) throw new ConfigError(`the webhook ${goQuote(name)} needs a kubeConfigFile: its server does not run in a cluster`)
    if (!found.has(path)) found.set(path, await loadKubeconfig(`webhook ${goQuote(name)}, kubeConfigFile`, path))
  }
  return found
}
