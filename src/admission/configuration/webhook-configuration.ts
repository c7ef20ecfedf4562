/** The configuration of the plugins MutatingAdmissionWebhook and ValidatingAdmissionWebhook: their credentials, and manifests. */
import { isAbsolute } from 'node:path'
import { ConfigError, type ConfigKind } from '../../apimachinery/config/read-config.js'
import { string, struct, typeMeta } from '../../apimachinery/config/types.js'
import type { EnabledGates } from '../../apimachinery/validation/field.js'
import { goQuote } from '../../util/go-format.js'
import { checkManifestsFolder } from './manifests-folder.js'
import { readPluginConfig } from './plugin-configuration.js'

const kind: ConfigKind = {
  kind: 'WebhookAdmissionConfiguration',
  versions: {
    'apiserver.config.k8s.io/v1': struct('v1.WebhookAdmission', {
      ...typeMeta,
      kubeConfigFile: string,
      staticManifestsDir: string
    })
  }
}

export interface WebhookAdmission {
  /** The path of a kubeconfig. */
  readonly kubeConfigFile?: string | undefined
  readonly staticManifestsDir?: string | undefined
}

/** Rejects with a ConfigError. */
export async function readWebhookConfiguration(text: string | undefined, gates: EnabledGates): Promise<WebhookAdmission> {
  if (text === undefined) return {}
  const { kubeConfigFile, staticManifestsDir }: WebhookAdmission = readPluginConfig(text, kind).object
  if (kubeConfigFile && !isAbsolute(kubeConfigFile))
    throw new ConfigError(`kubeConfigFile: Invalid value: ${goQuote(kubeConfigFile)}: must be an absolute file path`)
  await checkManifestsFolder(staticManifestsDir, gates)
  return { kubeConfigFile, staticManifestsDir }
}
