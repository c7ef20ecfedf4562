/** Finds a Node that a Pod would fit on if less important Pods went away: https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/ */
import type { PodDisruptionBudget } from '../../apimachinery/api/generated/policy-v1.js'
import type { Randomness } from '../../util/randomness.js'
import type { Cluster } from './cluster.js'
import { addTo, type Checks, type Diagnosis, rejectionOf, removeFrom } from './find-nodes.js'
import { fitErrorMessage } from './fit-error.js'
import type { NodeState } from './node-state.js'
import { type Rejection, rejectForGood } from './plugin.js'
import { partByBudgets } from './pod-disruption.js'
import type { PodInfo } from './pod-info.js'

export interface Candidate {
  readonly node: NodeState
  /** The most important first. */
  readonly victims: readonly PodInfo[]
  /** How many of the victims a budget protects. */
  readonly violations: number
}

export interface Preemption {
  readonly candidate?: Candidate | undefined
  /** Ends the message about the Pod. */
  readonly message: string
  /** Whether the Pod waits for no Node any more. */
  readonly endsWait: boolean
}

export interface PreemptionInput {
  readonly pod: PodInfo
  readonly cluster: Cluster
  readonly checks: Checks
  readonly diagnosis: Diagnosis
  readonly randomness: Randomness
  readonly now: number
}

const startOf = ({ pod }: PodInfo, now: number): number => (pod.status.startTime ? Date.parse(pod.status.startTime) : now)

/** Chooses whom to preempt for a Pod that fits nowhere. */
export function preemptionFor(input: PreemptionInput): Preemption {
  const { pod, cluster, diagnosis } = input
  const ineligible = ineligibility(pod, cluster, diagnosis)
  if (ineligible) return { message: `preemption: ${ineligible}`, endsWait: false }
  const nodes = new Map<string, Rejection>()
  const best = bestCandidate(candidatesFor(input, nodes), input.now)
  if (best) {
    const { node, victims } = best
    const found = `found a potential placement for pod on node ${node.name}, preempting ${victims.length} victims`
    return { candidate: best, message: `preemption: ${found}`, endsWait: false }
  }
  const others = rejectForGood('Preemption is not helpful for scheduling')
  return { message: `preemption: ${fitErrorMessage(cluster.nodes.length, { nodes, others })}`, endsWait: true }
}

const isPreempted = ({ pod }: PodInfo): boolean => {
  const condition = pod.status.conditions?.find(({ type }) => type === 'DisruptionTarget')
  return !!pod.metadata.deletionTimestamp && condition?.status === 'True' && condition.reason === 'PreemptionByScheduler'
}

function ineligibility(info: PodInfo, cluster: Cluster, { nodes }: Diagnosis): string | undefined {
  const { pod, priority } = info
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.'
  const waitsFor = pod.status.nominatedNodeName
  if (!waitsFor || (nodes.get(waitsFor)?.isFinal ?? true)) return undefined
  const others = cluster.node(waitsFor)?.pods.values() ?? []
  return [...others].some(other => other.priority < priority && isPreempted(other))
    ? 'not eligible due to a terminating pod on the nominated node.'
    : undefined
}

const candidatePercent = 10
const fewestCandidates = 100

/** Tries Nodes from a random one on, until there are enough candidates; `nodes` gets the reasons of the others. */
function candidatesFor(input: PreemptionInput, nodes: Map<string, Rejection>): Candidate[] {
  const { pod, cluster, diagnosis, randomness } = input
  const promising = cluster.nodes.filter(({ name }) => diagnosis.nodes.get(name)?.isFinal === false)
  if (promising.length === 0) return []
  const enough = Math.max(fewestCandidates, Math.trunc((promising.length * candidatePercent) / 100))
  const offset = Math.floor(randomness.fraction() * promising.length)
  const budgets = cluster.objects.budgets()
  const clean: Candidate[] = []
  const violating: Candidate[] = []
  for (let i = 0; i < promising.length && (clean.length === 0 || clean.length + violating.length < enough); i++) {
    const node = promising[(offset + i) % promising.length]!
    const result = victimsOn(node, pod, input, budgets)
    if ('reasons' in result) nodes.set(node.name, result)
    else (result.violations === 0 ? clean : violating).push(result)
  }
  return [...clean, ...violating]
}

/** Chooses as few and as unimportant victims on the Node as possible. The Node and the checks are as before afterwards. */
function victimsOn(
  node: NodeState,
  pod: PodInfo,
  { cluster, checks, now }: PreemptionInput,
  budgets: readonly PodDisruptionBudget[]
): Candidate | Rejection {
  const lesser = [...node.pods.values()].filter(({ priority }) => priority < pod.priority)
  if (lesser.length === 0) return rejectForGood('No preemption victims found for incoming pod')
  lesser.sort((a, b) => b.priority - a.priority || startOf(a, now) - startOf(b, now))
  for (const other of lesser) removeFrom(node, other, checks)
  const gone = new Set(lesser)
  try {
    const rejection = rejectionOf(checks, pod, node, cluster)
    if (rejection) return rejection
    const [violating, others] = partByBudgets(lesser, budgets)
    let violations = 0
    for (const other of [...violating, ...others]) {
      addTo(node, other, checks)
      gone.delete(other)
      if (!rejectionOf(checks, pod, node, cluster)) continue
      removeFrom(node, other, checks)
      gone.add(other)
      if (violating.includes(other)) violations++
    }
    if (gone.size === 0) return rejectForGood(`expected at least one victim pod on node "${node.name}"`)
    return { node, victims: lesser.filter(other => gone.has(other)), violations }
  } finally {
    for (const other of gone) addTo(node, other, checks)
  }
}

/** Keeps priorities positive in sums, so that more victims always weigh more. */
const offset = 2 ** 31

const orders: readonly ((candidate: Candidate, now: number) => number)[] = [
  ({ violations }) => violations,
  ({ victims }) => victims[0]!.priority,
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + offset, 0),
  ({ victims }) => victims.length,
  // the one whose most important victims have started last
  ({ victims }, now) =>
    -Math.min(...victims.filter(({ priority }) => priority === victims[0]!.priority).map(victim => startOf(victim, now)))
]

function bestCandidate(candidates: readonly Candidate[], now: number): Candidate | undefined {
  let left = candidates
  for (const order of orders) {
    if (left.length <= 1) break
    const costs = left.map(candidate => order(candidate, now))
    const least = Math.min(...costs)
    left = left.filter((_, i) => costs[i] === least)
  }
  return left[0]
}
