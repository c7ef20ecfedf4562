/** On which Nodes the Pods of a DaemonSet are: https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled */
import type { DaemonSet } from '../../../apimachinery/api/generated/apps-v1.js'
import type { Node, Pod, PodSpec, Toleration } from '../../../apimachinery/api/generated/core-v1.js'
import { isRepelled, isTolerated, requiredNodes } from '../../scheduler/node-selector.js'

const exists = (key: string, effect: string): Toleration => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect })

/** What is wrong with a Node does not keep its daemons away. */
const usual: readonly Toleration[] = [
  exists('not-ready', 'NoExecute'),
  exists('unreachable', 'NoExecute'),
  exists('disk-pressure', 'NoSchedule'),
  exists('memory-pressure', 'NoSchedule'),
  exists('pid-pressure', 'NoSchedule'),
  exists('unschedulable', 'NoSchedule')
]

const isSame = (a: Toleration, b: Toleration) =>
  a.key === b.key && a.effect === b.effect && a.operator === b.operator && (a.value ?? '') === (b.value ?? '')

/** The tolerations of the template, and those that all daemons have. */
export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec): Toleration[] {
  const own = hostNetwork ? [...usual, exists('network-unavailable', 'NoSchedule')] : usual
  const result = [...tolerations]
  for (const toleration of own) {
    const at = result.findIndex(one => isSame(one, toleration))
    if (at < 0) result.push(toleration)
    else result[at] = toleration
  }
  return result
}

export interface Fit {
  /** Whether a Pod is to be created. */
  readonly runs: boolean
  /** Whether one that is there stays. */
  readonly stays: boolean
}

/** Returns what says whether a Node gets a Pod of the set. */
export function fitOf({ spec }: DaemonSet): (node: Node) => Fit {
  const podSpec = spec.template.spec!
  const matches = requiredNodes({ spec: podSpec } as Pod)
  const tolerations = daemonTolerations(podSpec)
  return ({ metadata, spec: { taints } }) => {
    const isNamed = !podSpec.nodeName || podSpec.nodeName === metadata.name
    if (!isNamed || !matches({ name: metadata.name!, labels: metadata.labels ?? {} })) return { runs: false, stays: false }
    const isEvicted = (taints ?? []).some(taint => taint.effect === 'NoExecute' && !isTolerated(tolerations, taint))
    return { runs: !isRepelled(tolerations, taints), stays: !isEvicted }
  }
}

const nameField = 'metadata.name'

/** The affinity of a Pod that is for one Node: the scheduler binds it. */
export function affinityTo(node: string, { affinity }: PodSpec): PodSpec['affinity'] {
  const nodeSelectorTerms = [{ matchFields: [{ key: nameField, operator: 'In', values: [node] }] }]
  const nodeAffinity = { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } }
  return { ...affinity, nodeAffinity } as PodSpec['affinity']
}

/** The Node that a Pod is on, or for. */
export function targetNode({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const fields = terms.flatMap(({ matchFields }) => matchFields ?? [])
  const field = fields.find(({ key, operator }) => key === nameField && operator === 'In')
  return field?.values?.length === 1 ? field.values[0] : undefined
}
