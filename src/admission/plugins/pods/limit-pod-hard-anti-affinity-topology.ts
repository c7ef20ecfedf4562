import type { Pod } from '../../../api/generated/core-v1.js'
import { forbidden } from '../../../status/status.js'
import type { AdmissionPlugin } from '../../admission.js'
import { isPod } from './pods.js'

const hostname = 'kubernetes.io/hostname'

/** Refuses required anti-affinity beyond a Pod's own node. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  handles: operation => operation === 'CREATE' || operation === 'UPDATE',
  validate(attributes) {
    if (!isPod(attributes)) return
    const { metadata, spec }: Pod = attributes.object
    const wider = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.find(
      ({ topologyKey }) => topologyKey !== hostname
    )
    if (!wider) return
    const why = `has TopologyKey ${wider.topologyKey} but only key ${hostname} is allowed`
    throw forbidden(
      attributes.resource.groupResource,
      metadata.name ?? '',
      `affinity.PodAntiAffinity.RequiredDuringScheduling ${why}`
    )
  }
}
