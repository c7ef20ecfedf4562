/**
 * The cluster as the scheduler knows it: Nodes with their Pods, those included that it has just assigned. It is kept up to date by events, so
 * that nothing has to be worked out anew for a Pod.
 */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import type { ClusterObjects } from './cluster-objects.js'
import { labelOf, type Selector } from './labels.js'
import { NodeState } from './node-state.js'
import { Nominations } from './nominations.js'
import type { PodInfo, PodShape } from './pod-info.js'

interface Placed {
  readonly info: PodInfo
  readonly node: NodeState
}

export class Cluster {
  readonly objects: ClusterObjects
  readonly nominations = new Nominations()
  readonly #states = new Map<string, NodeState>()
  /** By uid. */
  readonly #placed = new Map<string, Placed>()
  readonly #assumed = new Set<string>()
  /** The shapes of all Pods on Nodes, by their keys, and how many have each. */
  readonly #shapes = new Map<string, { readonly shape: PodShape; count: number }>()
  /** How many Pods use each PersistentVolumeClaim. */
  readonly #claims = new Map<string, number>()
  #list: readonly NodeState[] | undefined

  constructor(objects: ClusterObjects) {
    this.objects = objects
  }

  /** The Nodes, one of each zone after the other. */
  get nodes(): readonly NodeState[] {
    return (this.#list ??= byZones([...this.#states.values()].filter(({ node }) => node !== undefined)))
  }

  /** Returns a Node that is there. */
  node(name: string): NodeState | undefined {
    const state = this.#states.get(name)
    return state?.node ? state : undefined
  }

  setNode(node: Node): void {
    const state = this.#state(node.metadata.name!)
    if (!state.node || zoneOf(state) !== zoneOf({ labels: node.metadata.labels ?? {} })) this.#list = undefined
    state.setNode(node)
  }

  removeNode(name: string): void {
    const state = this.#states.get(name)
    if (!state) return
    state.setNode(undefined)
    this.#list = undefined
    this.#forgetUnused(state)
  }

  /** Takes note of a Pod that is on a Node. */
  put(info: PodInfo): void {
    this.remove(info.uid)
    this.#place(info)
  }

  /** Takes note of a Pod that is going to be on a Node. */
  assume(info: PodInfo): void {
    this.put(info)
    this.#assumed.add(info.uid)
  }

  isAssumed(uid: string): boolean {
    return this.#assumed.has(uid)
  }

  find(uid: string): PodInfo | undefined {
    return this.#placed.get(uid)?.info
  }

  remove(uid: string): PodInfo | undefined {
    const placed = this.#placed.get(uid)
    if (!placed) return undefined
    const { info, node } = placed
    this.#placed.delete(uid)
    this.#assumed.delete(uid)
    node.remove(uid)
    this.#countShape(info.shape, -1)
    for (const claim of info.claims) this.#countClaim(claim, -1)
    this.#forgetUnused(node)
    return info
  }

  /** The shapes of Pods in a namespace that a selector selects. One without requirements selects none here. */
  shapesOf({ matches, isEmpty }: Selector, namespace: string): PodShape[] {
    if (isEmpty) return []
    return [...this.#shapes.values()].flatMap(({ shape }) =>
      shape.namespace === namespace && matches(shape.labels) ? [shape] : []
    )
  }

  /** How many Pods use a claim, by namespace and name. */
  usesOf(claim: string): number {
    return this.#claims.get(claim) ?? 0
  }

  #place(info: PodInfo): void {
    const node = this.#state(info.pod.spec.nodeName!)
    node.add(info)
    this.#placed.set(info.uid, { info, node })
    this.#countShape(info.shape, 1)
    for (const claim of info.claims) this.#countClaim(claim, 1)
  }

  #countShape(shape: PodShape, by: 1 | -1): void {
    const known = this.#shapes.get(shape.key)
    if (!known) this.#shapes.set(shape.key, { shape, count: 1 })
    else if ((known.count += by) === 0) this.#shapes.delete(shape.key)
  }

  #countClaim(claim: string, by: 1 | -1): void {
    const count = this.usesOf(claim) + by
    if (count > 0) this.#claims.set(claim, count)
    else this.#claims.delete(claim)
  }

  #state(name: string): NodeState {
    let state = this.#states.get(name)
    if (!state) this.#states.set(name, (state = new NodeState(name)))
    return state
  }

  #forgetUnused(state: NodeState): void {
    if (state.isUnused) this.#states.delete(state.name)
  }
}

const zoneOf = ({ labels }: Pick<NodeState, 'labels'>): string =>
  ['region', 'zone']
    .map(
      part => labelOf(labels, `topology.kubernetes.io/${part}`) ?? labelOf(labels, `failure-domain.beta.kubernetes.io/${part}`)
    )
    .join('\0')

function byZones(states: readonly NodeState[]): NodeState[] {
  const byName = new Map<string, NodeState[]>()
  for (const state of states) {
    const zone = byName.get(zoneOf(state))
    if (zone) zone.push(state)
    else byName.set(zoneOf(state), [state])
  }
  const zones = [...byName.values()]
  const longest = Math.max(0, ...zones.map(zone => zone.length))
  return Array.from({ length: longest }, (_, i) => zones.flatMap(zone => zone[i] ?? [])).flat()
}
