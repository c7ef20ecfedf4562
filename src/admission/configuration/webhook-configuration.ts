/** The configuration of the plugins MutatingAdmissionWebhook and ValidatingAdmissionWebhook: a kubeconfig with their credentials. */
import { isAbsolute } from 'node:path'
import { ConfigError, type ConfigKind } from '../../config/read-config.js'
import { string, struct, typeMeta } from '../../config/types.js'
import { goQuote } from '../../util/go-format.js'
import { FieldErrors, Path } from '../../validation/field.js'
import { readPluginConfig, refuseInvalid } from './plugin-configuration.js'

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

/** Returns the path of the kubeconfig, undefined for none. Throws a ConfigError. */
export function readWebhookKubeconfig(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const { kubeConfigFile, staticManifestsDir } = readPluginConfig(text, kind).object
  if (kubeConfigFile && !isAbsolute(kubeConfigFile))
    throw new ConfigError(`kubeConfigFile: Invalid value: ${goQuote(kubeConfigFile)}: must be an absolute file path`)
  const errors = new FieldErrors()
  if (staticManifestsDir)
    errors.forbidden(
      Path.of('staticManifestsDir'),
      'staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled'
    )
  refuseInvalid(errors)
  return kubeConfigFile
}
