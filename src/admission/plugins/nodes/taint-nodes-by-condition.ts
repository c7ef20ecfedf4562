import type { Node } from '../../../api/generated/core-v1.js'
import type { AdmissionPlugin } from '../../admission.js'

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

/** Taints new nodes as not ready, so that no Pod is scheduled to a node before its first heartbeat. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  handles: operation => operation === 'CREATE',
  admit({ resource, subresource, object }) {
    if (resource.group !== '' || resource.resource !== 'nodes' || subresource !== '') return
    const { spec }: Node = object
    const taints = spec.taints ?? []
    if (!taints.some(t => t.key === notReady.key && t.effect === notReady.effect)) spec.taints = [...taints, { ...notReady }]
  }
}
