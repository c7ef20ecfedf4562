/** Finds the Nodes on which a Pod fits. */
import { messageOf } from '../workloads/pod-control.js'
import type { Cluster } from './cluster.js'
import type { NodeState } from './node-state.js'
import { type Check, isRejection, type Plugin, type Rejection, rejectForGood } from './plugin.js'
import type { PodInfo } from './pod-info.js'

/** Why a Pod fits nowhere. */
export interface Diagnosis {
  /** Set where a plugin rejects the Pod whatever the Node. */
  general?: Rejection | undefined
  /** By the name of the Node. */
  readonly nodes: Map<string, Rejection>
  /** Why Nodes do not come into question that are not in `nodes`. */
  others?: Rejection | undefined
  /** The names of the plugins that have rejected the Pod. */
  readonly plugins: Set<string>
}

/** The checks of all plugins that have something to say about a Pod. */
export interface Checks {
  readonly all: readonly { readonly plugin: Plugin; readonly check: Check }[]
  readonly only: ReadonlySet<string> | undefined
  readonly onlyBy: readonly string[]
}

/** Prepares the checks. Returns undefined when a plugin rejects the Pod whatever the Node, which `diagnosis` then tells. */
export function checksOf(plugins: readonly Plugin[], pod: PodInfo, cluster: Cluster, diagnosis: Diagnosis): Checks | undefined {
  const all: { plugin: Plugin; check: Check }[] = []
  let only: ReadonlySet<string> | undefined
  const onlyBy: string[] = []
  for (const plugin of plugins) {
    const check = plugin.check?.(pod, cluster)
    if (check && isRejection(check)) {
      diagnosis.general = check
      diagnosis.plugins.add(plugin.name)
      return undefined
    }
    if (!check) continue
    all.push({ plugin, check })
    if (!check.only) continue
    onlyBy.push(plugin.name)
    const names: ReadonlySet<string> = check.only
    only = only ? new Set([...only].filter(name => names.has(name))) : names
    if (only.size > 0) continue
    const [first] = onlyBy
    diagnosis.general = rejectForGood(
      onlyBy.length === 1
        ? `node(s) didn't satisfy plugin ${first}`
        : `node(s) didn't satisfy plugin(s) [${onlyBy.toSorted().join(' ')}] simultaneously`
    )
    for (const name of onlyBy) diagnosis.plugins.add(name)
    return undefined
  }
  return { all, only, onlyBy }
}

interface NodeRejection extends Rejection {
  readonly plugin: string
}

function filterBy({ name }: Plugin, check: Check, node: NodeState): Rejection | undefined {
  try {
    return check.filter(node)
  } catch (error) {
    throw new Error(`running ${JSON.stringify(name)} filter plugin: ${messageOf(error)}`)
  }
}

function firstRejection({ all }: Checks, node: NodeState): NodeRejection | undefined {
  for (const { plugin, check } of all) {
    const rejection = filterBy(plugin, check, node)
    if (rejection) return { ...rejection, plugin: plugin.name }
  }
  return undefined
}

/**
 * Asks all plugins about a Node. Pods that wait for the room they have made there count as if they were there, unless they are less important; and the
 * Pod has to fit without them, too.
 */
export function rejectionOf(checks: Checks, pod: PodInfo, node: NodeState, cluster: Cluster): NodeRejection | undefined {
  const nominated = [...cluster.nominations.of(node.name)].filter(
    other => other.priority >= pod.priority && other.uid !== pod.uid && !node.pods.has(other.uid)
  )
  if (nominated.length === 0) return firstRejection(checks, node)
  for (const other of nominated) addTo(node, other, checks)
  try {
    const rejection = firstRejection(checks, node)
    if (rejection) return rejection
  } finally {
    for (const other of nominated) removeFrom(node, other, checks)
  }
  return firstRejection(checks, node)
}

export function addTo(node: NodeState, pod: PodInfo, { all }: Checks): void {
  node.add(pod)
  for (const { check } of all) check.added?.(pod, node)
}

export function removeFrom(node: NodeState, pod: PodInfo, { all }: Checks): void {
  node.remove(pod.uid)
  for (const { check } of all) check.removed?.(pod, node)
}

/** At least so many Nodes are compared, where so many fit. */
const fewestToFind = 100
const fewestPercent = 5

/** How many Nodes that fit are enough: the larger the cluster, the smaller the share. */
export function nodesToFind(count: number): number {
  if (count < fewestToFind) return count
  const percent = Math.max(fewestPercent, 50 - Math.trunc(count / 125))
  return Math.max(fewestToFind, Math.trunc((count * percent) / 100))
}

export interface Found {
  readonly nodes: readonly NodeState[]
  /** How many Nodes were asked about. */
  readonly asked: number
}

/** Asks about Nodes, from the one at `start` on, until enough fit. */
export function findNodes(
  checks: Checks,
  pod: PodInfo,
  cluster: Cluster,
  { diagnosis, start }: { readonly diagnosis: Diagnosis; readonly start: number }
): Found {
  const waitsFor = pod.pod.status.nominatedNodeName
  const nominated = waitsFor ? cluster.node(waitsFor) : undefined
  if (nominated && !rejectionOf(checks, pod, nominated, cluster)) return { nodes: [nominated], asked: 0 }
  const { only, onlyBy } = checks
  const candidates = only ? [...only].flatMap(name => cluster.node(name) ?? []) : cluster.nodes
  if (only) diagnosis.others = rejectForGood(`node(s) didn't satisfy plugin(s) [${onlyBy.toSorted().join(' ')}]`)
  for (const name of onlyBy) diagnosis.plugins.add(name)
  const enough = nodesToFind(candidates.length)
  const nodes: NodeState[] = []
  let asked = 0
  for (; asked < candidates.length && nodes.length < enough; asked++) {
    const node = candidates[(start + asked) % candidates.length]!
    const rejection = rejectionOf(checks, pod, node, cluster)
    if (!rejection) {
      nodes.push(node)
      continue
    }
    diagnosis.nodes.set(node.name, rejection)
    diagnosis.plugins.add(rejection.plugin)
  }
  return { nodes, asked }
}
