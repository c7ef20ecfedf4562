/** A Node and what its Pods take of it, kept up to date Pod by Pod. */
import type { Node } from '../../apimachinery/api/generated/core-v1.js'
import type { Labels } from '../../apimachinery/selectors/labels.js'
import { labelsOf } from './labels.js'
import { anyAddress, type HostPort, type PodInfo, type PodShape } from './pod-info.js'
import { type Amounts, amountOf, amountsOf } from './resources.js'

/** How many Pods of one shape a Node has. */
export interface ShapeCount {
  readonly shape: PodShape
  count: number
  /** Those of them that are being deleted. */
  terminating: number
}

const nothing: Amounts = new Map()
const noLabels: Labels = {}

export class NodeState {
  readonly name: string
  /** Undefined for a Node that Pods name, and that is not there. */
  node: Node | undefined
  labels: Labels = noLabels
  allocatable: Amounts = nothing
  mostPods = 0
  readonly pods = new Map<string, PodInfo>()
  readonly requested = new Map<string, number>()
  /** CPU and memory as scores count them. */
  readonly usual = { cpu: 0, memory: 0 }
  readonly shapes = new Map<string, ShapeCount>()
  /** Pods that have terms of affinity or anti-affinity, and those among them that require anti-affinity. */
  withAffinity = 0
  withRequiredAnti = 0
  /** By port: how many Pods use it, by address. */
  readonly #ports = new Map<string, Map<string, number>>()

  constructor(name: string) {
    this.name = name
  }

  setNode(node: Node | undefined): void {
    this.node = node
    this.labels = node ? labelsOf(node) : noLabels
    this.allocatable = amountsOf(node?.status.allocatable)
    this.mostPods = amountOf('pods', node?.status.allocatable?.pods ?? '0')
  }

  add(info: PodInfo): void {
    this.pods.set(info.uid, info)
    this.#count(info, 1)
  }

  remove(uid: string): PodInfo | undefined {
    const info = this.pods.get(uid)
    if (!info) return undefined
    this.pods.delete(uid)
    this.#count(info, -1)
    return info
  }

  #count(info: PodInfo, by: 1 | -1): void {
    for (const [name, amount] of info.requests.amounts) this.requested.set(name, (this.requested.get(name) ?? 0) + by * amount)
    this.usual.cpu += by * info.requests.usual.cpu
    this.usual.memory += by * info.requests.usual.memory
    for (const port of info.ports) this.#countPort(port, by)
    const { terms, key } = info.shape
    const { required, requiredAnti, preferred, preferredAnti } = terms
    if (required.length + requiredAnti.length + preferred.length + preferredAnti.length > 0) this.withAffinity += by
    if (requiredAnti.length > 0) this.withRequiredAnti += by
    let shape = this.shapes.get(key)
    if (!shape) this.shapes.set(key, (shape = { shape: info.shape, count: 0, terminating: 0 }))
    shape.count += by
    if (info.isTerminating) shape.terminating += by
    if (shape.count === 0) this.shapes.delete(key)
  }

  #countPort({ ip, port }: HostPort, by: 1 | -1): void {
    let users = this.#ports.get(port)
    if (!users) this.#ports.set(port, (users = new Map()))
    const count = (users.get(ip) ?? 0) + by
    if (count > 0) users.set(ip, count)
    else users.delete(ip)
    if (users.size === 0) this.#ports.delete(port)
  }

  /** Whether a Pod of the Node listens on the port, at the same address or at all. */
  isTaken({ ip, port }: HostPort): boolean {
    const users = this.#ports.get(port)
    return users !== undefined && (ip === anyAddress || users.has(anyAddress) || users.has(ip))
  }

  get isUnused(): boolean {
    return this.node === undefined && this.pods.size === 0
  }
}
