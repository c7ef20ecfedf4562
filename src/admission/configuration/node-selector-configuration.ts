/** The configuration of the plugin PodNodeSelector, which has neither kind nor version. */
import { ConfigError } from '../../config/read-config.js'
import { map, string, struct } from '../../config/types.js'
import { readUnversioned } from './plugin-configuration.js'

const type = struct('podnodeselector.pluginConfig', { podNodeSelectorPluginConfig: map(string) })

/** By namespace the labels that the node selectors of its Pods may have, and under `clusterDefaultNodeSelector` the default. */
export type NodeSelectors = Readonly<Record<string, string>>

/** kube-apiserver ignores a text that it cannot read. */
export function readNodeSelectors(text: string | undefined): NodeSelectors {
  if (text === undefined) return {}
  try {
    return readUnversioned(text, type).podNodeSelectorPluginConfig ?? {}
  } catch (error) {
    if (error instanceof ConfigError) return {}
    throw error
  }
}
