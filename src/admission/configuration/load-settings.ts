/** Reads what --admission-control-config-file says about the plugins that run. */
import { stat } from 'node:fs/promises'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import type { EnabledGates } from '../../apimachinery/validation/field.js'
import { type CredentialsFor, loadHostCredentials } from '../../transport/webhooks/host-credentials.js'
import { type Kubeconfig, loadKubeconfig } from '../../transport/webhooks/kubeconfig.js'
import type { Clock } from '../../util/clock.js'
import { goFileError } from '../../util/go-file-error.js'
import { goQuote } from '../../util/go-format.js'
import { UserError } from '../../util/user-error.js'
import { enabledPluginNames, type PluginChoice } from '../enabled-plugins.js'
import { readManifestFolder } from '../manifests/folder.js'
import type { LoadedManifests } from '../manifests/followed-manifests.js'
import { manifestsOf, type PluginWithManifests } from '../manifests/plugin-manifests.js'
import { readAdmissionConfiguration } from './admission-configuration.js'
import { type EventRateLimit, readEventRateLimits } from './event-rate-limits.js'
import { type ImagePolicySettings, readImagePolicy } from './image-policy-configuration.js'
import { type NodeSelectors, readNodeSelectors } from './node-selector-configuration.js'
import { InitializationError } from './plugin-configuration.js'
import { type PodSecuritySettings, readPodSecurity } from './pod-security-configuration.js'
import { readPolicyConfiguration } from './policy-configuration.js'
import { type LimitedResource, readLimitedResources } from './quota-configuration.js'
import { readTolerationSettings, type TolerationSettings } from './toleration-configuration.js'
import { readWebhookConfiguration } from './webhook-configuration.js'

/** The settings of the plugins that run; undefined for those that do not. */
export interface AdmissionSettings {
  readonly imagePolicy?: { readonly settings: ImagePolicySettings; readonly kubeconfig: Kubeconfig }
  readonly podSecurity?: PodSecuritySettings
  readonly nodeSelectors?: NodeSelectors
  readonly tolerations?: TolerationSettings
  readonly eventRateLimits?: readonly EventRateLimit[]
  readonly mutatingCredentials?: CredentialsFor | undefined
  readonly validatingCredentials?: CredentialsFor | undefined
  readonly limitedResources?: readonly LimitedResource[]
  readonly manifests: readonly LoadedManifests[]
}

export interface AdmissionConfigurationOptions extends PluginChoice {
  readonly admissionControlConfigFile?: string | undefined
}

interface Surroundings {
  readonly clock: Clock
  readonly gates: EnabledGates
}

type Load = (
  text: string | undefined,
  surroundings: Surroundings
) => Partial<AdmissionSettings> | Promise<Partial<AdmissionSettings>>

/** Loads a plugin's configuration; in the order in which plugins start. */
const loaders: Readonly<Record<string, Load>> = {
  ImagePolicyWebhook: async text => ({ imagePolicy: await loadImagePolicy(text) }),
  PodSecurity: text => ({ podSecurity: readPodSecurity(text) }),
  PodNodeSelector: text => ({ nodeSelectors: readNodeSelectors(text) }),
  PodTolerationRestriction: text => ({ tolerations: readTolerationSettings(text) }),
  EventRateLimit: text => ({ eventRateLimits: readEventRateLimits(text) }),
  MutatingAdmissionPolicy: (text, { gates }) => loadPolicies('MutatingAdmissionPolicy', text, gates),
  MutatingAdmissionWebhook: async (text, surroundings) => {
    const { credentials, manifests } = await loadWebhooks('MutatingAdmissionWebhook', text, surroundings)
    return { mutatingCredentials: credentials, manifests }
  },
  ValidatingAdmissionPolicy: (text, { gates }) => loadPolicies('ValidatingAdmissionPolicy', text, gates),
  ValidatingAdmissionWebhook: async (text, surroundings) => {
    const { credentials, manifests } = await loadWebhooks('ValidatingAdmissionWebhook', text, surroundings)
    return { validatingCredentials: credentials, manifests }
  },
  ResourceQuota: text => ({ limitedResources: readLimitedResources(text) })
}

/** Rejects with a UserError. */
export async function loadAdmissionSettings(
  options: AdmissionConfigurationOptions,
  clock: Clock,
  gates: EnabledGates
): Promise<AdmissionSettings> {
  const configurationOf = await readAdmissionConfiguration(options.admissionControlConfigFile)
  let settings: AdmissionSettings = { manifests: [] }
  for (const plugin of enabledPluginNames(options)) {
    if (!Object.hasOwn(loaders, plugin)) continue
    const text = await configurationOf(plugin)
    try {
      const { manifests = [], ...more } = await loaders[plugin]!(text, { clock, gates })
      settings = { ...settings, ...more, manifests: [...settings.manifests, ...manifests] }
    } catch (error) {
      if (!(error instanceof ConfigError || error instanceof UserError)) throw error
      const step = error instanceof InitializationError ? 'failed to initialize' : "couldn't init"
      throw new UserError(`failed to apply admission: ${step} admission plugin ${goQuote(plugin)}: ${error.message}`, {
        cause: error
      })
    }
  }
  return settings
}

async function loadImagePolicy(text: string | undefined) {
  const settings = readImagePolicy(text)
  const path = settings.kubeConfigFile
  if (path === '')
    throw new ConfigError(
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable'
    )
  try {
    await stat(path)
  } catch (error) {
    throw new ConfigError(goFileError('stat', path, error))
  }
  return { settings, kubeconfig: await loadKubeconfig('kubeConfigFile', path) }
}

async function loadWebhooks(plugin: PluginWithManifests, text: string | undefined, { clock, gates }: Surroundings) {
  const { kubeConfigFile, staticManifestsDir } = await readWebhookConfiguration(text, gates)
  return {
    credentials: kubeConfigFile === undefined ? undefined : await loadHostCredentials(kubeConfigFile, clock),
    manifests: await loadManifests(plugin, 'webhook', staticManifestsDir, gates)
  }
}

async function loadPolicies(
  plugin: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy',
  text: string | undefined,
  gates: EnabledGates
) {
  return { manifests: await loadManifests(plugin, 'policy', await readPolicyConfiguration(plugin, text, gates), gates) }
}

async function loadManifests(
  plugin: PluginWithManifests,
  what: string,
  directory: string | undefined,
  gates: EnabledGates
): Promise<LoadedManifests[]> {
  if (!directory) return []
  try {
    const folder = await readManifestFolder(directory)
    return [{ plugin, directory, folder, objects: manifestsOf(plugin, folder, gates) }]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new InitializationError(`failed to load static ${what} manifests from ${goQuote(directory)}: ${error.message}`)
  }
}
