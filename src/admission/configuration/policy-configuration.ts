/** The configuration of the plugins MutatingAdmissionPolicy and ValidatingAdmissionPolicy: a folder of manifests. */
import type { ConfigKind } from '../../apimachinery/config/read-config.js'
import { string, struct, typeMeta } from '../../apimachinery/config/types.js'
import type { EnabledGates } from '../../apimachinery/validation/field.js'
import { checkManifestsFolder } from './manifests-folder.js'
import { readPluginConfig } from './plugin-configuration.js'

function kindOf(plugin: string): ConfigKind {
  const kind = `${plugin}Configuration`
  const type = struct(`v1.${kind}`, { ...typeMeta, staticManifestsDir: string })
  return { kind, versions: { 'apiserver.config.k8s.io/v1': type } }
}

/** Returns the folder, undefined for none. Rejects with a ConfigError. */
export async function readPolicyConfiguration(
  plugin: 'MutatingAdmissionPolicy' | 'ValidatingAdmissionPolicy',
  text: string | undefined,
  gates: EnabledGates
): Promise<string | undefined> {
  if (text === undefined) return undefined
  const { staticManifestsDir } = readPluginConfig(text, kindOf(plugin)).object
  await checkManifestsFolder(staticManifestsDir, gates)
  return staticManifestsDir
}
