/** The built-in kinds, in the order in which discovery lists them. */
import type { KindDefinition } from '../registry/kind.js'
import { configMap } from './core/config-map.js'
import { namespace } from './core/namespace.js'
import { pod } from './core/pod.js'

export const builtinKinds: readonly KindDefinition[] = [
  configMap,
  namespace,
  pod
]
