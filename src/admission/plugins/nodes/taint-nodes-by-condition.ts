import type { Node } from '../../../apimachinery/api/generated/core-v1.js'
import type { BuiltinPlugin } from '../../admission.js'

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }

/** Taints new nodes as not ready, so that no Pod is scheduled to a node before its first heartbeat. */
export const taintNodesByCondition: BuiltinPlugin = {
  name: 'TaintNodesByCondition',
  operations: ['CREATE'],
  resources: ['nodes'],
  admit({ object }) {
    const { spec }: Node = object
    const taints = spec.taints ?? []
    if (!taints.some(t => t.key === notReady.key && t.effect === notReady.effect)) spec.taints = [...taints, { ...notReady }]
  }
}
