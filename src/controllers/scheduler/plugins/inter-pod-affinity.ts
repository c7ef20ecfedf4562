import type { Labels } from '../../../apimachinery/selectors/labels.js'
import { type AffinityTerm, type Matched, termMatches } from '../affinity-terms.js'
import type { Cluster } from '../cluster.js'
import { labelOf } from '../labels.js'
import type { NodeState } from '../node-state.js'
import { type Check, mostScore, type Plugin, reject, rejectForGood, type Scoring } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'

const noLabels: Labels = {}

/** Counts by topology: the key and value of a label of Nodes. */
class Topology {
  readonly #counts = new Map<string, Map<string, number>>()

  add({ labels }: NodeState, key: string, count: number): void {
    const value = labelOf(labels, key)
    if (value === undefined) return
    let counts = this.#counts.get(key)
    if (!counts) this.#counts.set(key, (counts = new Map()))
    const sum = (counts.get(value) ?? 0) + count
    if (sum !== 0) counts.set(value, sum)
    else counts.delete(value)
    if (counts.size === 0) this.#counts.delete(key)
  }

  /** The count where the Node is. */
  at({ labels }: NodeState, key: string): number {
    const value = labelOf(labels, key)
    return value === undefined ? 0 : (this.#counts.get(key)?.get(value) ?? 0)
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }
}

/** The terms of the Pod that is to be scheduled: their namespace selectors are looked up, as they are the same for all other Pods. */
function resolved(terms: readonly AffinityTerm[], cluster: Cluster): AffinityTerm[] {
  return terms.map(term => {
    if (term.namespaceSelector.isEmpty) return term
    const selected = cluster.objects
      .namespaces()
      .filter(({ metadata }) => term.namespaceSelector.matches(metadata.labels ?? noLabels))
      .map(({ metadata }) => metadata.name!)
    return {
      ...term,
      namespaces: new Set([...term.namespaces, ...selected]),
      namespaceSelector: { matches: () => false, isEmpty: false }
    }
  })
}

const matchesAll = (terms: readonly AffinityTerm[], pod: Matched): boolean =>
  terms.length > 0 && terms.every(term => termMatches(term, pod, noLabels))

function check(info: PodInfo, cluster: Cluster): Check | undefined {
  const { shape } = info
  const labelsOfNamespace = cluster.objects.namespaceLabels(shape.namespace)
  const affinity = resolved(shape.terms.required, cluster)
  const anti = resolved(shape.terms.requiredAnti, cluster)
  const affine = new Topology()
  const averse = new Topology()
  const repelling = new Topology()
  /** Keys of the terms by which Pods on Nodes repel this one. */
  const repellingKeys = new Set<string>()

  const countOwn = (other: Matched, node: NodeState, count: number) => {
    if (matchesAll(affinity, other)) for (const { topologyKey } of affinity) affine.add(node, topologyKey, count)
    for (const term of anti) if (termMatches(term, other, noLabels)) averse.add(node, term.topologyKey, count)
  }
  const countTheirs = (terms: readonly AffinityTerm[], node: NodeState, count: number) => {
    for (const term of terms)
      if (termMatches(term, shape, labelsOfNamespace)) {
        repellingKeys.add(term.topologyKey)
        repelling.add(node, term.topologyKey, count)
      }
  }
  const hasTerms = affinity.length + anti.length > 0
  for (const node of cluster.nodes) {
    if (!hasTerms && node.withRequiredAnti === 0) continue
    for (const { shape: other, count } of node.shapes.values()) {
      if (hasTerms) countOwn(other, node, count)
      countTheirs(other.terms.requiredAnti, node, count)
    }
  }
  if (!hasTerms && repelling.isEmpty) return undefined

  const isFirst = () => affine.isEmpty && matchesAll(affinity, shape)
  function isAffine(node: NodeState): boolean {
    if (affinity.some(({ topologyKey }) => labelOf(node.labels, topologyKey) === undefined)) return false
    return affinity.every(({ topologyKey }) => affine.at(node, topologyKey) > 0) || isFirst()
  }
  return {
    added(other, node) {
      countOwn(other.shape, node, 1)
      countTheirs(other.shape.terms.requiredAnti, node, 1)
    },
    removed(other, node) {
      countOwn(other.shape, node, -1)
      countTheirs(other.shape.terms.requiredAnti, node, -1)
    },
    filter(node) {
      if (!isAffine(node)) return rejectForGood("node(s) didn't match pod affinity rules")
      if (anti.some(({ topologyKey }) => averse.at(node, topologyKey) > 0))
        return reject("node(s) didn't match pod anti-affinity rules")
      for (const key of repellingKeys)
        if (repelling.at(node, key) > 0) return reject("node(s) didn't satisfy existing pods anti-affinity rules")
      return undefined
    }
  }
}

/** What required affinity of Pods on Nodes counts for, in the score of one that it wants near. */
const hardWeight = 1

function scoring(info: PodInfo, cluster: Cluster): Scoring | undefined {
  const { shape } = info
  const labelsOfNamespace = cluster.objects.namespaceLabels(shape.namespace)
  const preferred = resolved(shape.terms.preferred, cluster)
  const preferredAnti = resolved(shape.terms.preferredAnti, cluster)
  const hasTerms = preferred.length + preferredAnti.length > 0
  const sums = new Topology()
  const keys = new Set<string>()
  const add = (term: AffinityTerm, node: NodeState, weight: number) => {
    keys.add(term.topologyKey)
    sums.add(node, term.topologyKey, weight)
  }
  for (const node of cluster.nodes) {
    if (!hasTerms && node.withAffinity === 0) continue
    for (const { shape: other, count } of node.shapes.values()) {
      for (const term of preferred) if (termMatches(term, other, noLabels)) add(term, node, term.weight * count)
      for (const term of preferredAnti) if (termMatches(term, other, noLabels)) add(term, node, -term.weight * count)
      const { terms } = other
      const wants = (term: AffinityTerm) => termMatches(term, shape, labelsOfNamespace)
      for (const term of terms.required) if (wants(term)) add(term, node, hardWeight * count)
      for (const term of terms.preferred) if (wants(term)) add(term, node, term.weight * count)
      for (const term of terms.preferredAnti) if (wants(term)) add(term, node, -term.weight * count)
    }
  }
  if (keys.size === 0) return undefined
  return {
    score: node => [...keys].reduce((sum, key) => sum + sums.at(node, key), 0),
    normalize(scores) {
      const least = Math.min(...scores)
      const range = Math.max(...scores) - least
      for (const [i, score] of scores.entries()) scores[i] = range > 0 ? Math.trunc(mostScore * ((score - least) / range)) : 0
    }
  }
}

/** Holds Pods to what they and others require of their neighbours, and scores Nodes by what they prefer. */
export const interPodAffinity: Plugin = {
  name: 'InterPodAffinity',
  weight: 2,
  check,
  scoring,
  mayHelp(event, pod, cluster) {
    if (event.on === 'self') return event.pod.shape.key !== event.old.shape.key
    const { terms } = pod.shape
    if (event.on === 'namespace') return terms.required.length + terms.requiredAnti.length > 0
    if (event.on === 'node') return !!event.node
    if (event.on !== 'pod') return false
    const matchesAffinity = (other: PodInfo | undefined) =>
      other !== undefined && matchesAll(resolved(terms.required, cluster), other.shape)
    const matchesAnti = (other: PodInfo | undefined) =>
      other !== undefined && resolved(terms.requiredAnti, cluster).some(term => termMatches(term, other.shape, noLabels))
    const repels = ({ shape }: PodInfo) =>
      shape.terms.requiredAnti.some(term => termMatches(term, pod.shape, cluster.objects.namespaceLabels(pod.shape.namespace)))
    if (event.pod && event.old)
      return (!matchesAffinity(event.old) && matchesAffinity(event.pod)) || (matchesAnti(event.old) && !matchesAnti(event.pod))
    if (event.pod) return matchesAffinity(event.pod)
    return event.old !== undefined && (matchesAnti(event.old) || repels(event.old))
  }
}
