import type { Cluster } from '../cluster.js'
import { labelOf, selectorOf } from '../labels.js'
import type { NodeState } from '../node-state.js'
import { type Check, mostScore, type Plugin, reject, rejectForGood, type Scoring } from '../plugin.js'
import type { PodInfo, PodShape } from '../pod-info.js'
import { type Constraint, constraintsOf, countOn, hasAllKeys, hostname, usualConstraints } from './topology-constraints.js'

const notMet = "node(s) didn't match pod topology spread constraints"

/** The Pods of each domain of a constraint. */
class Domains {
  readonly constraint: Constraint
  /** The shapes of the Pods that the constraint selects. */
  readonly selected: readonly PodShape[]
  readonly #counts = new Map<string, number>()
  #fewest: number | undefined

  constructor(constraint: Constraint, selected: readonly PodShape[]) {
    this.constraint = constraint
    this.selected = selected
  }

  of(domain: string): number {
    return this.#counts.get(domain) ?? 0
  }

  add(domain: string, count: number): void {
    this.#counts.set(domain, this.of(domain) + count)
    this.#fewest = undefined
  }

  /** The number of Pods that no domain falls below; 0 when there are not enough domains. */
  fewest(): number {
    if (this.#counts.size < this.constraint.minDomains) return 0
    if (this.#fewest === undefined) {
      this.#fewest = Number.POSITIVE_INFINITY
      for (const count of this.#counts.values()) if (count < this.#fewest) this.#fewest = count
    }
    return this.#fewest
  }
}

function check(info: PodInfo, cluster: Cluster): Check | undefined {
  const constraints = constraintsOf(info, 'DoNotSchedule')
  if (constraints.length === 0) return undefined
  const { namespace, labels } = info.shape
  const all = constraints.map(constraint => new Domains(constraint, cluster.shapesOf(constraint.selector, namespace)))
  for (const node of cluster.nodes) {
    if (!hasAllKeys(node, constraints)) continue
    for (const domains of all) {
      const { topologyKey, includes } = domains.constraint
      if (includes(node)) domains.add(node.labels[topologyKey]!, countOn(node, domains.selected))
    }
  }
  const own = constraints.map(({ selector }) => (selector.matches(labels) ? 1 : 0))
  const changed = (by: 1 | -1) => (other: PodInfo, node: NodeState) => {
    if (other.shape.namespace !== namespace || !hasAllKeys(node, constraints)) return
    for (const domains of all) {
      const { topologyKey, selector, includes } = domains.constraint
      if (selector.matches(other.shape.labels) && includes(node)) domains.add(node.labels[topologyKey]!, by)
    }
  }
  return {
    added: changed(1),
    removed: changed(-1),
    filter(node) {
      for (const [i, domains] of all.entries()) {
        const domain = labelOf(node.labels, domains.constraint.topologyKey)
        if (domain === undefined) return rejectForGood(`${notMet} (missing required label)`)
        if (domains.of(domain) + own[i]! - domains.fewest() > domains.constraint.maxSkew) return reject(notMet)
      }
      return undefined
    }
  }
}

/** Counts the Pods in the domains of the Nodes that fit. Where the Pod has constraints, Nodes without one of their labels are ignored. */
function scoring(info: PodInfo, cluster: Cluster, nodes: readonly NodeState[], soft: SoftConstraints): Scoring {
  const { constraints, areOwn } = soft
  const { namespace } = info.shape
  const selected = constraints.map(({ selector }) => cluster.shapesOf(selector, namespace))
  const counts = constraints.map(() => new Map<string, number>())
  const ignored = new Set(areOwn ? nodes.filter(node => !hasAllKeys(node, constraints)) : [])
  for (const node of nodes)
    if (!ignored.has(node))
      for (const [i, { topologyKey }] of constraints.entries())
        if (topologyKey !== hostname) counts[i]!.set(labelOf(node.labels, topologyKey) ?? '', 0)
  const weights = constraints.map(({ topologyKey }, i) =>
    Math.log((topologyKey === hostname ? nodes.length - ignored.size : counts[i]!.size) + 2)
  )
  if (constraints.some(({ topologyKey }) => topologyKey !== hostname))
    for (const node of cluster.nodes) {
      if (areOwn && !hasAllKeys(node, constraints)) continue
      for (const [i, { topologyKey, includes }] of constraints.entries()) {
        const domain = labelOf(node.labels, topologyKey)
        const count = domain === undefined ? undefined : counts[i]!.get(domain)
        if (count !== undefined && includes(node)) counts[i]!.set(domain!, count + countOn(node, selected[i]!))
      }
    }
  return {
    score(node) {
      if (ignored.has(node)) return 0
      let score = 0
      for (const [i, { topologyKey, maxSkew }] of constraints.entries()) {
        const domain = labelOf(node.labels, topologyKey)
        if (domain === undefined) continue
        const count = topologyKey === hostname ? countOn(node, selected[i]!) : counts[i]!.get(domain)!
        score += count * weights[i]! + (maxSkew - 1)
      }
      return Math.round(score)
    },
    normalize(scores, scored) {
      const counted = scores.filter((_, i) => !ignored.has(scored[i]!))
      const least = Math.min(...counted)
      const most = Math.max(0, ...counted)
      for (const [i, score] of scores.entries()) {
        if (ignored.has(scored[i]!)) scores[i] = 0
        else scores[i] = most === 0 ? mostScore : Math.trunc((mostScore * (most + least - score)) / most)
      }
    }
  }
}

interface SoftConstraints {
  readonly constraints: readonly Constraint[]
  /** Whether they are the Pod's own. */
  readonly areOwn: boolean
}

/** Holds Pods to their spread over domains, and spreads others over Nodes and zones where that costs nothing. */
export const podTopologySpread: Plugin = {
  name: 'PodTopologySpread',
  weight: 2,
  check,
  scoring(info, cluster, nodes) {
    const areOwn = (info.pod.spec.topologySpreadConstraints ?? []).length > 0
    const selector = areOwn ? undefined : cluster.objects.spreadSelector(info.pod)
    const constraints = areOwn
      ? constraintsOf(info, 'ScheduleAnyway')
      : selector
        ? usualConstraints(info, selectorOf(selector))
        : []
    return constraints.length > 0 ? scoring(info, cluster, nodes, { constraints, areOwn }) : undefined
  },
  mayHelp(event, pod) {
    if (event.on === 'self') return event.pod.shape.key !== event.old.shape.key
    const constraints = constraintsOf(pod, 'DoNotSchedule')
    if (event.on === 'node') {
      const concerns = (node: typeof event.node) =>
        !!node && constraints.every(({ topologyKey }) => labelOf(node.metadata.labels ?? {}, topologyKey) !== undefined)
      return concerns(event.node) || concerns(event.old)
    }
    if (event.on !== 'pod') return false
    const concerns = (other: PodInfo | undefined) =>
      other?.shape.namespace === pod.shape.namespace && constraints.some(({ selector }) => selector.matches(other.shape.labels))
    if (event.pod && event.old) {
      if (!concerns(event.pod)) return concerns(event.old)
      return !concerns(event.old) || event.pod.isTerminating !== event.old.isTerminating
    }
    return concerns(event.pod ?? event.old)
  }
}
