/** Decides about one Pod: the Node that it goes to, or why there is none and whom to preempt. Nothing is written. */
import type { Randomness } from '../../util/randomness.js'
import type { Cluster } from './cluster.js'
import { type Checks, checksOf, type Diagnosis, findNodes } from './find-nodes.js'
import { fitErrorMessage } from './fit-error.js'
import type { NodeState } from './node-state.js'
import type { Help, Plugin, Reservation } from './plugin.js'
import type { PodInfo } from './pod-info.js'
import { type Candidate, preemptionFor } from './preemption.js'
import { bestOf, scoresOf } from './score-nodes.js'

export type Decision = Placement | Failure

export interface Placement {
  readonly node: NodeState
  /** Makes the reservations of the plugins. */
  reserve(): Reservation[]
}

export interface Failure {
  readonly message: string
  /** The names of the plugins that have rejected the Pod. */
  readonly plugins: ReadonlySet<string>
  readonly candidate?: Candidate | undefined
  readonly help?: readonly Help[] | undefined
  /** The Node for which the Pod waits now; empty for none, and as it was when left out. */
  readonly nominatedNodeName?: string | undefined
}

export interface CycleInput {
  readonly plugins: readonly Plugin[]
  readonly cluster: Cluster
  readonly randomness: Randomness
  readonly now: number
}

const devicePlugin = 'DynamicResources'

export class SchedulingCycle {
  /** Where the search for Nodes begins, so that all have their turn. */
  #start = 0

  /** Throws where a plugin cannot decide. */
  decide(pod: PodInfo, input: CycleInput): Decision {
    const { plugins, cluster, randomness } = input
    const all = cluster.nodes.length
    if (all === 0) return { message: 'no nodes available to schedule pods', plugins: new Set(), nominatedNodeName: '' }
    const diagnosis: Diagnosis = { nodes: new Map(), plugins: new Set() }
    const checks = checksOf(plugins, pod, cluster, diagnosis)
    // where another plugin came first, the one for devices has nothing to look for what could be freed: kube-scheduler says so in two words
    if (!checks)
      return diagnosis.plugins.has(devicePlugin)
        ? failure(pod, input, { all: [], only: undefined, onlyBy: [] }, diagnosis)
        : { message: fitErrorMessage(all, diagnosis, 'not found'), plugins: diagnosis.plugins }
    const { nodes, asked } = findNodes(checks, pod, cluster, { diagnosis, start: this.#start })
    this.#start = (this.#start + asked) % all
    if (nodes.length === 0) return failure(pod, input, checks, diagnosis)
    const node = nodes.length === 1 ? nodes[0]! : bestOf(nodes, scoresOf(plugins, checks, pod, cluster, nodes), randomness)
    return { node, reserve: () => checks.all.flatMap(({ check }) => check.reserve?.(node) ?? []) }
  }
}

function failure(pod: PodInfo, input: CycleInput, checks: Checks, diagnosis: Diagnosis): Failure {
  const help = checks.all.flatMap(({ check }) => check.help?.() ?? [])
  const { candidate, message, endsWait } = preemptionFor({ pod, checks, diagnosis, ...input })
  const afterwards = [...help.map(({ message }) => message), message].join(', ')
  return {
    message: fitErrorMessage(input.cluster.nodes.length, diagnosis, afterwards),
    plugins: diagnosis.plugins,
    candidate,
    help,
    nominatedNodeName: candidate ? candidate.node.name : endsWait ? '' : undefined
  }
}
