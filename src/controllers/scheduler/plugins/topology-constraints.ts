/** Constraints of topology spread: https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/ */
import type { TopologySpreadConstraint } from '../../../apimachinery/api/generated/core-v1.js'
import { labelOf, labelsOf, type Selector, selectorOf } from '../labels.js'
import { isRepelled, type NodeMatcher, requiredNodes } from '../node-selector.js'
import type { NodeState } from '../node-state.js'
import type { PodInfo, PodShape } from '../pod-info.js'

export const hostname = 'kubernetes.io/hostname'

export interface Constraint {
  readonly topologyKey: string
  readonly maxSkew: number
  readonly minDomains: number
  readonly selector: Selector
  /** Whether the Pods of a Node count, with respect to its affinity and taints. */
  includes(node: NodeState): boolean
}

type Action = 'DoNotSchedule' | 'ScheduleAnyway'

/** The constraints of the Pod itself. */
export function constraintsOf(info: PodInfo, action: Action): Constraint[] {
  const { pod } = info
  const wanted = (pod.spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
  if (wanted.length === 0) return []
  const matches = requiredNodes(pod)
  return wanted.map(constraint => {
    const labels = labelsOf(pod)
    const keys = (constraint.matchLabelKeys ?? []).filter(key => Object.hasOwn(labels, key))
    const { labelSelector } = constraint
    const same = keys.map(key => ({ key, operator: 'In', values: [labels[key]!] }))
    const selector =
      same.length > 0 && labelSelector
        ? { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...same] }
        : labelSelector
    return constraintOf(constraint, selectorOf(selector), info, matches)
  })
}

function constraintOf(
  constraint: Omit<TopologySpreadConstraint, 'labelSelector' | 'whenUnsatisfiable'>,
  selector: Selector,
  { pod: { spec } }: PodInfo,
  matches: NodeMatcher
): Constraint {
  const { topologyKey, maxSkew, minDomains = 1, nodeAffinityPolicy, nodeTaintsPolicy } = constraint
  return {
    topologyKey,
    maxSkew,
    minDomains,
    selector,
    includes: node =>
      (nodeAffinityPolicy === 'Ignore' || matches(node)) &&
      (nodeTaintsPolicy !== 'Honor' || !isRepelled(spec.tolerations, node.node!.spec.taints))
  }
}

/** What holds for a Pod that has no constraints. */
const usual = [
  { topologyKey: hostname, maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5 }
]

export function usualConstraints(info: PodInfo, selector: Selector): Constraint[] {
  const matches = requiredNodes(info.pod)
  return usual.map(constraint => constraintOf(constraint, selector, info, matches))
}

export const hasAllKeys = ({ labels }: NodeState, constraints: readonly Constraint[]): boolean =>
  constraints.every(({ topologyKey }) => labelOf(labels, topologyKey) !== undefined)

/** How many Pods of the Node have one of the shapes. Those that are being deleted do not count. */
export function countOn({ shapes }: NodeState, selected: readonly PodShape[]): number {
  let sum = 0
  for (const { key } of selected) {
    const found = shapes.get(key)
    if (found) sum += found.count - found.terminating
  }
  return sum
}
