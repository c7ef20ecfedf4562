/** The plugins of the scheduler in the order in which they are asked: kube-scheduler's defaults. */
import type { ClaimBinder } from './devices/claim-binder.js'
import type { Plugin } from './plugin.js'
import { dynamicResources } from './plugins/dynamic-resources.js'
import { interPodAffinity } from './plugins/inter-pod-affinity.js'
import { nodeAffinity } from './plugins/node-affinity.js'
import { nodeName } from './plugins/node-name.js'
import { nodePorts } from './plugins/node-ports.js'
import { nodeResourcesBalancedAllocation } from './plugins/node-resources-balanced-allocation.js'
import { nodeResourcesFit } from './plugins/node-resources-fit.js'
import { nodeUnschedulable } from './plugins/node-unschedulable.js'
import { nodeVolumeLimits } from './plugins/node-volume-limits.js'
import { podTopologySpread } from './plugins/pod-topology-spread.js'
import { taintToleration } from './plugins/taint-toleration.js'
import { volumeBinding } from './plugins/volume-binding.js'
import { volumeRestrictions } from './plugins/volume-restrictions.js'
import { volumeZone } from './plugins/volume-zone.js'
import type { VolumeBinder } from './volume-binder.js'

export const defaultPlugins = (volumes: VolumeBinder, claims: ClaimBinder): readonly Plugin[] => [
  nodeName,
  nodeUnschedulable,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  nodeVolumeLimits,
  volumeBinding(volumes),
  volumeZone,
  podTopologySpread,
  interPodAffinity,
  dynamicResources(claims),
  nodeResourcesBalancedAllocation
]
