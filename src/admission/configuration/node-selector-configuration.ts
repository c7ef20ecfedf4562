/** The configuration of the plugin PodNodeSelector, which has neither kind nor version. */
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { map, string, struct } from '../../apimachinery/config/types.js'
import { readUnversioned } from './plugin-configuration.js'

const type = struct('podnodeselector.pluginConfig', { podNodeSelectorPluginConfig: map(string) })

/**
 * For each namespace, the labels that its Pods' node selectors may have; under `clusterDefaultNodeSelector`, the default node
 * selector.
 */
export type NodeSelectors = Readonly<Record<string, string>>

/** Returns no selectors for a text that cannot be read, which kube-apiserver ignores. */
export function readNodeSelectors(text: string | undefined): NodeSelectors {
  if (text === undefined) return {}
  try {
    return readUnversioned(text, type).podNodeSelectorPluginConfig ?? {}
  } catch (error) {
    if (error instanceof ConfigError) return {}
    throw error
  }
}
