import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { forbidden } from '../../../apimachinery/status/status.js'
import type { BuiltinPlugin } from '../../admission.js'

const hostname = 'kubernetes.io/hostname'

/** Refuses required anti-affinity that reaches beyond a Pod's own node. */
export const limitPodHardAntiAffinityTopology: BuiltinPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  validate({ resource, object }) {
    const { metadata, spec }: Pod = object
    const wider = spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.find(
      ({ topologyKey }) => topologyKey !== hostname
    )
    if (!wider) return
    const why = `has TopologyKey ${wider.topologyKey} but only key ${hostname} is allowed`
    throw forbidden(resource.groupResource, metadata.name ?? '', `affinity.PodAntiAffinity.RequiredDuringScheduling ${why}`)
  }
}
